/// Every setting there is. The raw value is its key in a configuration file; the environment has it in capitals, with
/// underscores for dots and `PAYRELAY_` before it.
public enum Setting: String, CaseIterable, Sendable {
    case httpHost = "http.host"
    case httpPort = "http.port"
    case httpBodyBytesMax = "http.body_bytes_max"
    case httpTLSCertificateFile = "http.tls_certificate_file"
    case httpTLSKeyFile = "http.tls_key_file"
    case httpHosts = "http.hosts"
    case httpBodyBytesTotalMax = "http.body_bytes_total_max"
    case httpTrustedProxies = "http.trusted_proxies"
    case apiKeys = "api_keys"
    case jwtKeysFile = "jwt.keys_file"
    case jwtKeysURL = "jwt.keys_url"
    case jwtAudience = "jwt.audience"
    case jwtIssuer = "jwt.issuer"
    case jwtClockSkewSeconds = "jwt.clock_skew_seconds"
    case jwtLifetimeSecondsMax = "jwt.lifetime_seconds_max"
    case jwtOrderLifetimeSecondsMax = "jwt.order_lifetime_seconds_max"
    case httpHeaderBytesMax = "http.header_bytes_max"
    case httpConnectionsMax = "http.connections_max"
    case httpHeadTimeoutSeconds = "http.head_timeout_seconds"
    case httpBodyTimeoutSeconds = "http.body_timeout_seconds"
    case httpIdleTimeoutSeconds = "http.idle_timeout_seconds"
    case httpRequestsInFlightMax = "http.requests_in_flight_max"
    case httpClientRequestsPerSecondMax = "http.client_requests_per_second_max"
    case adminHost = "admin.host"
    case adminPort = "admin.port"
    case monitoringHost = "monitoring.host"
    case monitoringPort = "monitoring.port"
    case adminHosts = "admin.hosts"
    case adminTLSCertificateFile = "admin.tls_certificate_file"
    case adminTLSKeyFile = "admin.tls_key_file"
    case operators = "operators"
    case answerAfterSeconds = "answer_after_seconds"
    case drainSeconds = "drain_seconds"
    case stopSeconds = "stop_seconds"
    case fortEndpoint = "fort.endpoint"
    case fortAccessCode = "fort.access_code"
    case fortMerchantIdentifier = "fort.merchant_identifier"
    case fortSignatureType = "fort.signature_type"
    case fortRequestPhrase = "fort.request_phrase"
    case fortResponsePhrase = "fort.response_phrase"
    case fortTimeoutSeconds = "fort.timeout_seconds"
    case fortRequestsInFlightMax = "fort.requests_in_flight_max"
    case fortCircuitBreakerFailures = "fort.circuit_breaker_failures"
    case notFoundAfterSeconds = "not_found_after_seconds"
    case operationNotFoundAfterSeconds = "operation_not_found_after_seconds"
    case overdueAfterSeconds = "overdue_after_seconds"
    case retentionDays = "retention_days"
    case tokenVerification = "token.verification"
    case tokenTrustAnchorFile = "token.trust_anchor_file"
    case tokenFreshnessSeconds = "token.freshness_seconds"
    case tokenProcessingCertificateFiles = "token.processing_certificate_files"
    case tokenUnknownProcessingCertificates = "token.unknown_processing_certificates"
    case tokenSandboxSigners = "token.sandbox_signers"
    case applePayMerchantIdentifier = "apple_pay.merchant_identifier"
    case applePayDisplayName = "apple_pay.display_name"
    case applePayDomains = "apple_pay.domains"
    case applePayIdentityCertificateFile = "apple_pay.identity_certificate_file"
    case applePayIdentityKeyFile = "apple_pay.identity_key_file"
    case applePaySandbox = "apple_pay.sandbox"
    case applePaySessionHost = "apple_pay.session_host"
    case applePaySessionCAFile = "apple_pay.session_ca_file"
    case applePayDomainFile = "apple_pay.domain_file"
    case eventsUrl = "events.url"
    case eventsSecret = "events.secret"
    case eventsTimeoutSeconds = "events.timeout_seconds"
    case journal = "journal"
    case logLevel = "log.level"
    case tracingOTLPURL = "tracing.otlp_url"
    case tracingSampledPercent = "tracing.sampled_percent"

    /// The name in the environment.
    public var environmentName: String {
        "PAYRELAY_" + rawValue.replacing(".", with: "_").uppercased()
    }

    /// Whether the value may come from a file instead, named by the setting with `_FILE` (`_file`) at its end.
    public var isSecret: Bool {
        switch self {
        case .apiKeys, .operators, .fortRequestPhrase, .fortResponsePhrase, .eventsSecret, .journal: true
        default: false
        }
    }

    /// The key of the setting that names the secret's file.
    var fileKey: String { rawValue + "_file" }
}
