import ApplePayToken
import FortAPI
import HTTPListener
import Logging

/// Every setting there is, by what one wants to do. Settings of one section of the file stand together, the four that are required first.
extension Setting {
    public static let groups = [
        SettingGroup(
            "Name the FORT account",
            [.fortAccessCode, .fortMerchantIdentifier, .fortRequestPhrase, .fortResponsePhrase, .fortSignatureType]),
        SettingGroup(
            "Choose FORT's environment, and limit what it is asked",
            [.fortEndpoint, .fortTimeoutSeconds, .fortRequestsInFlightMax, .fortCircuitBreakerFailures]),
        SettingGroup("Record payments", [.journal, .retentionDays]),
        SettingGroup(
            "Decide when to answer, and when an outcome is final",
            [.answerAfterSeconds, .notFoundAfterSeconds, .operationNotFoundAfterSeconds, .overdueAfterSeconds]),
        SettingGroup("Stop without losing requests", [.drainSeconds, .stopSeconds]),
        SettingGroup(
            "Let apps and backends reach the relay",
            [.httpHost, .httpPort, .httpTLSCertificateFile, .httpTLSKeyFile, .httpHosts, .httpTrustedProxies]),
        SettingGroup(
            "Limit what clients may take",
            [
                .httpClientRequestsPerSecondMax, .httpRequestsInFlightMax, .httpConnectionsMax, .httpBodyBytesMax,
                .httpBodyBytesTotalMax, .httpHeaderBytesMax, .httpHeadTimeoutSeconds, .httpBodyTimeoutSeconds,
                .httpIdleTimeoutSeconds,
            ]),
        SettingGroup(
            "Authenticate clients",
            [
                .apiKeys, .jwtKeysFile, .jwtKeysURL, .jwtAudience, .jwtIssuer, .jwtClockSkewSeconds,
                .jwtLifetimeSecondsMax, .jwtOrderLifetimeSecondsMax,
            ]),
        SettingGroup(
            "Verify tokens",
            [
                .tokenProcessingCertificateFiles, .tokenUnknownProcessingCertificates, .tokenSandboxSigners,
                .tokenFreshnessSeconds, .tokenTrustAnchorFile, .tokenVerification,
            ]),
        SettingGroup(
            "Offer Apple Pay on the web",
            [
                .applePayMerchantIdentifier, .applePayDisplayName, .applePayDomains, .applePayIdentityCertificateFile,
                .applePayIdentityKeyFile, .applePayDomainFile, .applePaySandbox, .applePaySessionHost,
                .applePaySessionCAFile,
            ]),
        SettingGroup("Send events to your backend", [.eventsURL, .eventsSecret, .eventsTimeoutSeconds]),
        SettingGroup(
            "Open the console to operators",
            [.operators, .adminHost, .adminPort, .adminTLSCertificateFile, .adminTLSKeyFile, .adminHosts]),
        SettingGroup(
            "Watch the relay",
            [.monitoringHost, .monitoringPort, .logLevel, .tracingOTLPURL, .tracingSampledPercent]),
    ]

    /// All of ``groups``.
    public static let all = groups.flatMap(\.settings)

    /// Those of an account in the list `fort.accounts`.
    static let ofAccounts = groups[0].settings + [.fortAccountCurrencies]
}

extension Setting {
    static let fortAccessCode = Setting(
        "fort.access_code", .text("at most 20 letters and digits", pattern: "^[A-Za-z0-9]{1,20}$"), default: .required,
        "The account's access code, from the Apple Pay settings of the dashboard.", example: "zx0IPmPy5jp1vAz8Kpg7")
    static let fortMerchantIdentifier = Setting(
        "fort.merchant_identifier", .text("at most 20 letters and digits", pattern: "^[A-Za-z0-9]{1,20}$"),
        default: .required, "The account's merchant identifier, from the same page.", example: "CycHZxVj")
    static let fortRequestPhrase = Setting(
        "fort.request_phrase", .secret("the SHA request phrase"), default: .required,
        "The account's SHA request phrase, verbatim.", example: "your-SHA-request-phrase")
    static let fortResponsePhrase = Setting(
        "fort.response_phrase", .secret("the SHA response phrase"), default: .required,
        "The account's SHA response phrase, verbatim.", example: "your-SHA-response-phrase")
    static let fortSignatureType = Setting(
        "fort.signature_type", .choice(FortSignatureType.allCases.map(\.rawValue)),
        default: .value(FortSignatureType.standard.rawValue), "The account's SHA type.")
    /// Of an account in the list alone.
    static let fortAccountCurrencies = Setting(
        "fort.currencies", .list("ISO 4217 codes"), default: .none("none"),
        "The currencies of the orders that use the account without naming it.", example: "AED, OMR")

    static let fortEndpoint = Setting(
        "fort.endpoint", .url, default: .value(FortEndpoint.test.url),
        "FORT's address: its test environment, unless you set production's, \(FortEndpoint.production.url).")
    static let fortTimeoutSeconds = Setting(
        "fort.timeout_seconds", .number(1...300, of: .seconds), default: .value(30),
        "Timeout of one exchange with FORT; after it the payment is uncertain.")
    static let fortRequestsInFlightMax = Setting(
        "fort.requests_in_flight_max", .number(1...500), default: .value(FortLimits().requestsInFlight),
        "Concurrency limit of requests to FORT.")
    static let fortCircuitBreakerFailures = Setting(
        "fort.circuit_breaker_failures", .number(1...1_000), default: .value(FortLimits().failures),
        "The circuit breaker opens after so many consecutive requests without an answer, or with a 5xx.")

    static let journal = Setting(
        "journal", .secret("sqlite:PATH, postgres://… or memory:"), default: .value("sqlite:payrelay.sqlite"),
        "Where payments are recorded: sqlite:PATH for one instance, postgres://…, as libpq reads it, for several that share it; memory: is lost with the process."
    )
    static let retentionDays = Setting(
        "retention_days", .number(7...3_650, of: .days), default: .value(30),
        "Retention of answers for replay; then the customer's data in them is erased.")

    static let answerAfterSeconds = Setting(
        "answer_after_seconds", .number(1...300, of: .seconds), default: .value(20),
        "Answer deadline of a payment, after the whole request was read.")
    static let notFoundAfterSeconds = Setting(
        "not_found_after_seconds", .number(1...day, of: .seconds), default: .value(60),
        "How long a payment is uncertain before FORT's \"order not found\" is final.")
    static let operationNotFoundAfterSeconds = Setting(
        "operation_not_found_after_seconds", .number(1...30 * day, of: .seconds), default: .value(3_600),
        "How long a capture, void or refund without an answer is uncertain before FORT's totals, which do not show it, are final."
    )
    static let overdueAfterSeconds = Setting(
        "overdue_after_seconds", .number(1...30 * day, of: .seconds), default: .value(900),
        "Payments that are open for longer are overdue: a metric counts them.")

    static let drainSeconds = Setting(
        "drain_seconds", .number(0...300, of: .seconds), default: .value(0),
        "How long requests are still accepted after SIGTERM, while /ready is 503: the time that your load balancer needs to notice."
    )
    // A charge that is under way ends by FORT's timeout; what comes on top is for its journal entry and its answer.
    static let stopSeconds = Setting(
        "stop_seconds", .number(1...600, of: .seconds), default: .sum(.fortTimeoutSeconds, 5),
        "Deadline for requests in flight once no more are accepted.")
}

extension Setting {
    private static let limits = ListenerLimits()
    private static let day = 86_400
    /// 0 takes one that is free; the log has it.
    private static let ports = SettingKind.number(0...65_535)
    private static let timeouts = SettingKind.number(1...3_600, of: .seconds)
    private static let pem = SettingKind.file("a PEM file")

    private static func value(_ duration: Duration) -> SettingDefault { .value(Int(duration.components.seconds)) }

    static let httpHost = Setting(
        "http.host", .text("a host"), default: .value("127.0.0.1"),
        "Address of the public listener: loopback only, unless clients authenticate.")
    static let httpPort = Setting(
        "http.port", ports, default: .value(8080), "Port of the public listener; 0 takes any free port.")
    static let httpTLSCertificateFile = Setting(
        "http.tls_certificate_file", pem, default: .none("plain HTTP"),
        "The certificate that the public listener speaks TLS with, and its intermediates.",
        example: "/etc/payrelay/tls/fullchain.pem")
    static let httpTLSKeyFile = Setting(
        "http.tls_key_file", pem, default: .none("plain HTTP"),
        "The private key of the public listener's certificate, not encrypted.",
        example: "/etc/payrelay/tls/privkey.pem")
    static let httpHosts = Setting(
        "http.hosts", .list("host names without ports"), default: .none("any name if clients authenticate, else none"),
        "The names under which the public listener may be asked, besides loopback names and its own.",
        example: "pay.example.com")
    static let httpTrustedProxies = Setting(
        "http.trusted_proxies", .list("addresses or CIDR blocks"), default: .none("none"),
        "The proxies before the relay; the client's address is taken from their headers only.", example: "10.0.0.0/8")

    static let httpClientRequestsPerSecondMax = Setting(
        "http.client_requests_per_second_max", .number(1...100_000), default: .none("any number"),
        "Rate limit of each client, averaged over ten seconds.", example: "20")
    static let httpRequestsInFlightMax = Setting(
        "http.requests_in_flight_max", .number(1...100_000), default: .value(limits.requestsInFlight),
        "Concurrency limit of requests; the admin listener is not counted.")
    static let httpConnectionsMax = Setting(
        "http.connections_max", .number(1...1_000_000), default: .value(limits.connections),
        "Limit of open connections, and of HTTP/2 streams.")
    static let httpBodyBytesMax = Setting(
        "http.body_bytes_max", .number(1_024...16_777_216, of: .bytes), default: .value(limits.bodyBytes),
        "The longest request body.")
    static let httpBodyBytesTotalMax = Setting(
        "http.body_bytes_total_max", .number(1_048_576...17_179_869_184, of: .bytes),
        default: .value(limits.bodyBytesTotal), "Limit of the bytes of bodies of unanswered requests.")
    static let httpHeaderBytesMax = Setting(
        "http.header_bytes_max", .number(1_024...65_536, of: .bytes), default: .value(limits.headerBytes),
        "The longest request header.")
    static let httpHeadTimeoutSeconds = Setting(
        "http.head_timeout_seconds", timeouts, default: value(limits.headTimeout),
        "Deadline of a new connection for its TLS handshake, and then for the header of its first request.")
    static let httpBodyTimeoutSeconds = Setting(
        "http.body_timeout_seconds", timeouts, default: value(limits.bodyTimeout),
        "Read deadline for the rest of a request, regardless of progress.")
    static let httpIdleTimeoutSeconds = Setting(
        "http.idle_timeout_seconds", timeouts, default: value(limits.idleTimeout),
        "How long a connection may be idle between requests.")

    static let apiKeys = Setting(
        "api_keys", .secret("lines as `payrelay keys generate` prints them"), default: .none("none"),
        "The API keys: one per line, or separated by semicolons, as `payrelay keys generate` prints them.")
    static let jwtKeysFile = Setting(
        "jwt.keys_file", .file("a JWK Set, or of one public key in PEM"), default: .none("none"),
        "The keys that verify JWTs.", example: "/etc/payrelay/jwt-keys.json")
    static let jwtKeysURL = Setting(
        "jwt.keys_url", .url, default: .none("none"), "A JWK Set for keys that the file does not have.",
        example: "https://login.example.com/jwks.json")
    static let jwtAudience = Setting(
        "jwt.audience", .text("a text"), default: .value("payrelay"), "Required in the aud of a JWT.")
    static let jwtIssuer = Setting(
        "jwt.issuer", .text("a text"), default: .none("any"), "Required as the iss of a JWT.",
        example: "https://login.example.com")
    static let jwtClockSkewSeconds = Setting(
        "jwt.clock_skew_seconds", .number(0...300, of: .seconds), default: .value(60),
        "Permitted difference of the issuer's clock.")
    static let jwtLifetimeSecondsMax = Setting(
        "jwt.lifetime_seconds_max", .number(60...365 * day, of: .seconds), default: .value(day),
        "Longest lifetime of a JWT: from its iat, if it has one, and from now.")
    static let jwtOrderLifetimeSecondsMax = Setting(
        "jwt.order_lifetime_seconds_max", .number(60...day, of: .seconds), default: .value(3_600),
        "Longest lifetime of an order token.")

    static let operators = Setting(
        "operators", .secret("lines as `payrelay operators add` prints them"), default: .none("none"),
        "The operators who may log in to the console: one per line, or separated by semicolons, as `payrelay operators add` prints them."
    )
    static let adminHost = Setting(
        "admin.host", .text("a host"), default: .value("127.0.0.1"),
        "Address of the admin listener: loopback only, unless it has operators and TLS.")
    static let adminPort = Setting(
        "admin.port", ports, default: .value(8081), "Port of the admin listener; 0 takes any free port.")
    static let adminTLSCertificateFile = Setting(
        "admin.tls_certificate_file", pem, default: .none("plain HTTP"),
        "The certificate that the admin listener speaks TLS with, and its intermediates.",
        example: "/etc/payrelay/admin.pem")
    static let adminTLSKeyFile = Setting(
        "admin.tls_key_file", pem, default: .none("plain HTTP"),
        "The private key of the admin listener's certificate, not encrypted.", example: "/etc/payrelay/admin.key"
    )
    static let adminHosts = Setting(
        "admin.hosts", .list("host names without ports"), default: .none("none"),
        "The names under which the admin listener may be asked, besides loopback names and its own.",
        example: "console.example.com")

    static let monitoringHost = Setting(
        "monitoring.host", .text("a host or an address without a port"), default: .none("no such listener"),
        "Address of one more listener with /live, /ready and /metrics alone, for a Prometheus or probes on other machines.",
        example: "0.0.0.0")
    static let monitoringPort = Setting(
        "monitoring.port", ports, default: .value(9464), "Port of the monitoring listener; 0 takes any free port.")
    static let logLevel = Setting(
        "log.level", .choice(Logger.Level.allCases.map(\.rawValue)), default: .value(Logger.Level.info.rawValue),
        "The least severe messages that are logged; nothing sensitive at any level.")
    static let tracingOTLPURL = Setting(
        "tracing.otlp_url", .url, default: .none("none"), "A collector for spans, by OTLP over HTTP in JSON.",
        example: "https://collector.example.com/v1/traces")
    static let tracingSampledPercent = Setting(
        "tracing.sampled_percent", .number(0...100, of: .percent), default: .value(100),
        "Sampled share of the traces that start at the relay.")
}

extension Setting {
    static let tokenProcessingCertificateFiles = Setting(
        "token.processing_certificate_files", .list("paths of files with certificates in PEM or DER"),
        default: .none("none"),
        "Your Apple Pay payment processing certificates: a token that was encrypted for another one is detected.",
        example: "/etc/payrelay/apple_pay.cer")
    static let tokenUnknownProcessingCertificates = Setting(
        "token.unknown_processing_certificates", .choice(UnknownProcessingCertificates.allCases.map(\.rawValue)),
        default: .value(UnknownProcessingCertificates.refused.rawValue),
        "What happens to a token that was encrypted for none of these certificates.")
    static let tokenSandboxSigners = Setting(
        "token.sandbox_signers", .choice(SandboxSigners.allCases.map(\.rawValue)),
        default: .value(SandboxSigners.accepted.rawValue),
        "What happens to tokens of Apple's sandbox: set it to refused in production.")
    static let tokenFreshnessSeconds = Setting(
        "token.freshness_seconds", .number(1...day, of: .seconds), default: .value(300),
        "Permitted distance of a token's signing time from now, past or future.")
    static let tokenTrustAnchorFile = Setting(
        "token.trust_anchor_file", .file("a certificate in PEM"), default: .none("Apple Root CA - G3, compiled in"),
        "The root that replaces Apple's; for the sandbox, certs/sandbox/root-ca.pem.")
    static let tokenVerification = Setting(
        "token.verification", .choice(TokenVerification.allCases.map(\.rawValue)),
        default: .value(TokenVerification.required.rawValue), "Whether tokens are verified; off relays them unverified."
    )

    static let applePayMerchantIdentifier = Setting(
        "apple_pay.merchant_identifier", .text("a merchant identifier"), default: .none("none"),
        "Your merchant identifier at Apple; set together with the name, the domains and the merchant identity.",
        example: "merchant.com.example.shop")
    static let applePayDisplayName = Setting(
        "apple_pay.display_name", .text("1 to 64 characters", pattern: "^.{1,64}$"), default: .none("none"),
        "The name on the pay sheet.", example: "Example Shop")
    static let applePayDomains = Setting(
        "apple_pay.domains", .list("domain names without scheme, port or path"), default: .none("none"),
        "The web sites for which sessions are requested.", example: "shop.example.com")
    static let applePayIdentityCertificateFile = Setting(
        "apple_pay.identity_certificate_file", .list("paths of files in PEM or DER"), default: .none("none"),
        "The merchant identity certificate, issued for the merchant identifier; during a renewal, the old and the new.",
        example: "/etc/payrelay/merchant_id.cer")
    static let applePayIdentityKeyFile = Setting(
        "apple_pay.identity_key_file", .list("paths of files in PEM"), default: .none("none"),
        "The private key of the merchant identity certificate, without a password.",
        example: "/etc/payrelay/merchant_id.key")
    static let applePayDomainFile = Setting(
        "apple_pay.domain_file", .file("a file from Apple"), default: .none("none"),
        "The file that Apple requests at /.well-known/apple-developer-merchantid-domain-association.",
        example: "/etc/payrelay/apple-developer-merchantid-domain-association")
    static let applePaySandbox = Setting(
        "apple_pay.sandbox", .flag, default: .value("false"),
        "Whether sessions are requested from the hosts of Apple's sandbox only.")
    static let applePaySessionHost = Setting(
        "apple_pay.session_host", .text("127.0.0.1, [::1] or localhost, with a port"), default: .none("Apple's"),
        "A session host in place of Apple's, for tests; loopback only.", example: "127.0.0.1:8083")
    static let applePaySessionCAFile = Setting(
        "apple_pay.session_ca_file", .file("a certificate in PEM"), default: .none("the system's roots"),
        "The root of the session host's certificate.")

    static let eventsURL = Setting(
        "events.url", .url, default: .none("none"), "Your backend's address for events of payments.",
        example: "https://shop.example.com/payrelay-events")
    static let eventsSecret = Setting(
        "events.secret", .secret("whsec_ and the base64 of 24 to 64 bytes"), default: .none("required with the URL"),
        "The key that events are signed with; during a rotation, the new one and the old one, separated by a space.")
    static let eventsTimeoutSeconds = Setting(
        "events.timeout_seconds", .number(1...60, of: .seconds), default: .value(15),
        "How long your backend may take to acknowledge an event.")
}
