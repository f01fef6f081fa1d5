import ApplePayToken
import GatewayModule
import HTTPListener
import Logging
import PaymentRelay
import Settings

/// The relay's own settings, grouped by purpose. Settings of the same section of the file are together. Each
/// gateway's settings are in its module.
extension Setting {
    static let groups = [
        SettingGroup("Record payments", [.journal, .retentionDays, .instancesShareLimits]),
        SettingGroup("Archive old payments", [.archiveDirectory, .archiveAfterDays]),
        SettingGroup(
            "Decide when to answer, and when an outcome is final",
            [.answerAfterSeconds, .notFoundAfterSeconds, .operationNotFoundAfterSeconds, .overdueAfterSeconds]),
        SettingGroup("Stop without losing requests", [.drainSeconds, .stopSeconds]),
        SettingGroup(
            "Let apps and backends reach the relay",
            [.httpHost, .httpPort, .httpTLSCertificateFile, .httpTLSKeyFile, .httpHosts, .httpTrustedProxies]),
        SettingGroup(
            "Set limits for clients",
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
            "Let a proxy sign operators in",
            [
                .operatorTokensHeader, .operatorTokensKeysURL, .operatorTokensIssuer, .operatorTokensAudience,
                .operatorTokensRoles, .operatorTokensRoleClaim, .operatorTokensNameClaim, .operatorTokensSignOutURL,
            ]),
        SettingGroup(
            "Watch the relay",
            [.monitoringHost, .monitoringPort, .logLevel, .tracingOTLPURL, .tracingSampledPercent]),
    ]

}

extension Setting {
    static let journal = Setting(
        "journal", .secret("sqlite:PATH, postgres://… or memory:"), default: .value("sqlite:payrelay.sqlite"),
        "Where payments are recorded: sqlite:PATH for one instance, postgres://… (as libpq reads it) for several; memory: is lost with the process.",
        details: "A file is created with mode 0600. Secret: a URL may hold a password.")
    static let instancesShareLimits = Setting(
        "instances.share_limits", .flag, default: .value("false"),
        "Whether all instances share the limits of requests in flight to gateways and of a client's rate.",
        details:
            "Needs a postgres:// journal. Each instance gets an equal share, at least 1. The share of an instance that ended is taken over within 15 seconds."
    )
    static let retentionDays = Setting(
        "retention_days", .number(7...3_650, of: .days), default: .value(30),
        "Retention of answers for replay. Afterwards the customer's data in them is erased.",
        details:
            "`payrelay forget` does it at once. Amounts, codes and the history stay; open payments are not changed.")

    static let archiveDirectory = Setting(
        "archive.directory", .file("a directory"), default: .none("none"),
        "The folder to which `payrelay journal archive` moves old payments, and in which commands find them.",
        example: "/var/lib/payrelay/archive",
        details: "One SQLite file for each month, mode 0600. See [runbook](runbook.md#how-the-journal-grows).")
    static let archiveAfterDays = Setting(
        "archive.after_days", .number(ArchiveAge.days, of: .days), default: .none("never"),
        "Age at which payments are archived once a day, since their last change or erasure.", example: "540",
        details:
            "540 is beyond every dispute of a card. An archived payment cannot be refunded. With several instances, set it on one."
    )

    static let answerAfterSeconds = Setting(
        "answer_after_seconds", .number(1...300, of: .seconds), default: .value(20),
        "Answer deadline of a payment, after the whole request was read.",
        details: "See [Limits](#limits). Apple's sheet gives up after about 30.")
    static let notFoundAfterSeconds = Setting(
        "not_found_after_seconds", .number(1...day, of: .seconds), default: .value(60),
        "How long a payment is uncertain before the gateway's \"order not found\" is final.",
        details:
            "Likewise a decline whose answer was lost. 24 times as long if the gateway has numbered it. Keep it longer than each gateway's timeout."
    )
    static let operationNotFoundAfterSeconds = Setting(
        "operation_not_found_after_seconds", .number(1...30 * day, of: .seconds), default: .value(3_600),
        "The time for which a capture, void or refund without an answer stays uncertain while the gateway's totals do not show it.",
        details:
            "Then it is `not_processed`. If that is too soon, an operation on hold may still happen. 24 times as long if the gateway confirmed that it has it."
    )
    static let overdueAfterSeconds = Setting(
        "overdue_after_seconds", .number(1...30 * day, of: .seconds), default: .value(900),
        "The age at which an open payment is overdue. A metric counts such payments.",
        details: "The metric is `payrelay_payments_overdue`; `payrelay reconcile` lists these payments.")

    static let drainSeconds = Setting(
        "drain_seconds", .number(0...300, of: .seconds), default: .value(0),
        "The time for which requests are still accepted after SIGTERM, while /ready is 503, until your load balancer has noticed.",
        details: "Meanwhile each HTTP/1.1 connection ends with its next response, which announces it.")
    // A charge under way ends after its gateway's timeout. The additional time is for its journal entry and its
    // response.
    static let stopSeconds = Setting(
        "stop_seconds", .number(1...600, of: .seconds), default: .sum(GatewayModules.all.map { $0.timeoutSetting }, 5),
        "Deadline for requests in flight once no more are accepted.",
        details:
            "Only gateways with an account count for the default. Then the relay closes the connections to gateways, and within 5 seconds journals and answers the remaining payments as `uncertain`."
    )
}

extension Setting {
    private static let limits = ListenerLimits()
    private static let day = 86_400
    /// The port 0 lets the system choose a free port, which is logged.
    private static let ports = SettingKind.number(0...65_535)
    private static let timeouts = SettingKind.number(1...3_600, of: .seconds)
    private static let pem = SettingKind.file("a PEM file")

    private static func value(_ duration: Duration) -> SettingDefault { .value(Int(duration.components.seconds)) }

    static let httpHost = Setting(
        "http.host", .text("a host"), default: .value("127.0.0.1"),
        "Address of the public listener: loopback only, unless clients authenticate.",
        details: "Clients authenticate with `PAYRELAY_API_KEYS`, `PAYRELAY_JWT_KEYS_FILE` or `PAYRELAY_JWT_KEYS_URL`.")
    static let httpPort = Setting(
        "http.port", ports, default: .value(8080), "Port of the public listener; 0 takes any free port.",
        details: "The log line `listening` has the port.")
    static let httpTLSCertificateFile = Setting(
        "http.tls_certificate_file", pem, default: .none("plain HTTP"),
        "The certificate that the public listener speaks TLS with, and its intermediates.",
        example: "/etc/payrelay/tls/fullchain.pem",
        details:
            "TLS 1.2 or later with AEAD cipher suites. Read again on SIGHUP, for new connections."
    )
    static let httpTLSKeyFile = Setting(
        "http.tls_key_file", pem, default: .none("plain HTTP"),
        "The private key of the public listener's certificate, not encrypted.",
        example: "/etc/payrelay/tls/privkey.pem")
    static let httpHosts = Setting(
        "http.hosts", .list("host names without ports"), default: .none("any name if clients authenticate, else none"),
        "The host names under which the public listener answers, besides loopback names and its own address.",
        example: "pay.example.com",
        details:
            "Other names get 421. See [authentication](authentication.md#web-pages)."
    )
    static let httpTrustedProxies = Setting(
        "http.trusted_proxies", .list("addresses or CIDR blocks"), default: .none("none"),
        "The proxies before the relay. The client's address is taken only from their headers.", example: "10.0.0.0/8",
        details:
            "See [authentication](authentication.md#behind-a-proxy). Their connections are the last to be closed."
    )

    static let httpClientRequestsPerSecondMax = Setting(
        "http.client_requests_per_second_max", .number(1...100_000), default: .none("any number"),
        "Rate limit of each client, averaged over ten seconds.", example: "20",
        details:
            "An idle client may send the requests of ten seconds at once; more get 429 and `Retry-After`. Each instance counts by itself, unless `PAYRELAY_INSTANCES_SHARE_LIMITS` is set: by key or JWT, by the order of an order token, else by address (IPv6: 64 bits). Notifications of gateways are not counted. Behind a proxy, also set `PAYRELAY_HTTP_TRUSTED_PROXIES`."
    )
    static let httpRequestsInFlightMax = Setting(
        "http.requests_in_flight_max", .number(1...100_000), default: .value(limits.requestsInFlight),
        "Concurrency limit of requests; the admin listener is not counted.",
        details:
            "A request takes a slot once its body has arrived; see [Shares](#shares). Gateways' notifications have separate slots, an eighth as many. Further requests get 503 and `Retry-After`."
    )
    static let httpConnectionsMax = Setting(
        "http.connections_max", .number(1...1_000_000), default: .value(limits.connections),
        "Limit of open connections.",
        details:
            "Beyond it, each new one closes another: see [Shares](#shares). The start raises the soft limit of open files, and fails if the hard limit is lower."
    )
    static let httpBodyBytesMax = Setting(
        "http.body_bytes_max", .number(1_024...16_777_216, of: .bytes), default: .value(limits.bodyBytes),
        "The longest request body.",
        details: "A longer one gets 413, from its `Content-Length` if it has one.")
    static let httpBodyBytesTotalMax = Setting(
        "http.body_bytes_total_max", .number(1_048_576...17_179_869_184, of: .bytes),
        default: .value(limits.bodyBytesTotal),
        "Limit of the bytes that are held for clients: slow or long requests, and unread answers.",
        details:
            "Requests of at most 16384 bytes that arrive at once are not counted. See [Shares](#shares)."
    )
    static let httpHeaderBytesMax = Setting(
        "http.header_bytes_max", .number(1_024...65_536, of: .bytes), default: .value(limits.headerBytes),
        "The longest request header.",
        details:
            "A longer one, or one of more than 100 fields, gets 431."
    )
    static let httpHeadTimeoutSeconds = Setting(
        "http.head_timeout_seconds", timeouts, default: value(limits.headTimeout),
        "Deadline of a new connection for its TLS handshake, then for its first header.",
        details: "When it passes, the connection is closed without an answer.")
    static let httpBodyTimeoutSeconds = Setting(
        "http.body_timeout_seconds", timeouts, default: value(limits.bodyTimeout),
        "Read deadline for the remaining part of a request, regardless of progress.",
        details:
            "Then the client gets 408 and is disconnected. The same deadline is for taking an answer, and for each part of an answer that is sent while it is made."
    )
    static let httpIdleTimeoutSeconds = Setting(
        "http.idle_timeout_seconds", timeouts, default: value(limits.idleTimeout),
        "The time for which a connection may be idle between requests.",
        details:
            "Then it is closed."
    )

    static let apiKeys = Setting(
        "api_keys", .secret("lines as `payrelay keys generate` prints them"), default: .none("none"),
        "The API keys: one per line, or separated by semicolons.",
        details:
            "`PAYRELAY_API_KEYS_FILE` is reloaded on SIGHUP; an invalid file changes nothing. See [authentication](authentication.md)."
    )
    static let jwtKeysFile = Setting(
        "jwt.keys_file", .file("a JWK Set, or of one public key in PEM"), default: .none("none"),
        "The keys that verify JWTs.", example: "/etc/payrelay/jwt-keys.json",
        details: "Reloaded on SIGHUP; an invalid file changes nothing.")
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
        "The operators who may log in to the console: one per line, or separated by semicolons.",
        details:
            "`PAYRELAY_OPERATORS_FILE` is reloaded on SIGHUP; an invalid file changes nothing. See [authentication](authentication.md#operators)."
    )
    static let operatorTokensHeader = Setting(
        "operator_tokens.header", .text("the name of a header"), default: .none("no proxy"),
        "The header in which an authenticating proxy sends the operator's JWT.", example: "X-Forwarded-Access-Token",
        details: "See [authentication](authentication.md#operators).")
    static let operatorTokensKeysURL = Setting(
        "operator_tokens.keys_url", .url, default: .none("none"), "The JWK Set of the identity provider.",
        example: "https://login.example.com/jwks.json")
    static let operatorTokensIssuer = Setting(
        "operator_tokens.issuer", .text("a text"), default: .none("none"), "Required as the iss of the JWT.",
        example: "https://login.example.com")
    static let operatorTokensAudience = Setting(
        "operator_tokens.audience", .text("a text"), default: .none("none"), "Required in the aud of the JWT.",
        example: "payrelay-console")
    static let operatorTokensRoles = Setting(
        "operator_tokens.roles", .list("GROUP=ROLE"), default: .none("none"),
        "The role of each group. An operator in several groups has the highest role.",
        example: "payments=finance, helpdesk=support")
    static let operatorTokensRoleClaim = Setting(
        "operator_tokens.role_claim", .text("the name of a claim"), default: .value("groups"),
        "The claim with the operator's groups: a text or an array.")
    static let operatorTokensNameClaim = Setting(
        "operator_tokens.name_claim", .text("the name of a claim"), default: .value("email"),
        "The claim with the operator's name.",
        details: "A name of 1 to 64 of `A-Z a-z 0-9 . _ @ + -`, which the operator cannot choose.")
    static let operatorTokensSignOutURL = Setting(
        "operator_tokens.sign_out_url", .url, default: .none("none"), "The URL to which the button Log out leads.",
        example: "https://console.example.com/oauth2/sign_out")
    static let adminHost = Setting(
        "admin.host", .text("a host"), default: .value("127.0.0.1"),
        "Address of the admin listener: loopback only, unless operators or a proxy sign in, over TLS.",
        details:
            "It serves `/live`, `/ready`, `/metrics` and the [console](console.md)."
    )
    static let adminPort = Setting(
        "admin.port", ports, default: .value(8081), "Port of the admin listener; 0 takes any free port.",
        details: "The log line `admin listening` has the port.")
    static let adminTLSCertificateFile = Setting(
        "admin.tls_certificate_file", pem, default: .none("plain HTTP"),
        "The certificate that the admin listener speaks TLS with, and its intermediates.",
        example: "/etc/payrelay/admin.pem",
        details: "Read again on SIGHUP.")
    static let adminTLSKeyFile = Setting(
        "admin.tls_key_file", pem, default: .none("plain HTTP"),
        "The private key of the admin listener's certificate, not encrypted.", example: "/etc/payrelay/admin.key"
    )
    static let adminHosts = Setting(
        "admin.hosts", .list("host names without ports"), default: .none("none"),
        "The host names under which the admin listener answers, besides loopback names and its own address.",
        example: "console.example.com",
        details: "A request under another name gets 421.")

    static let monitoringHost = Setting(
        "monitoring.host", .text("a host or an address without a port"), default: .none("no such listener"),
        "Address of another listener with only /live, /ready and /metrics, for a Prometheus or probes on other machines.",
        example: "0.0.0.0",
        details:
            "In a container, `0.0.0.0` or `::`. It has no TLS and no client's data. Let only your own network reach it."
    )
    static let monitoringPort = Setting(
        "monitoring.port", ports, default: .value(9464), "Port of the monitoring listener; 0 takes any free port.",
        details: "The log line `monitoring listening` has the port.")
    static let logLevel = Setting(
        "log.level", .choice(Logger.Level.allCases.map(\.rawValue)), default: .value(Logger.Level.info.rawValue),
        "The least severe level that is logged. No level logs sensitive data.")
    static let tracingOTLPURL = Setting(
        "tracing.otlp_url", .url, default: .none("none"), "A collector for spans, by OTLP over HTTP in JSON.",
        example: "https://collector.example.com/v1/traces",
        details: "A collector that is down delays no payment.")
    static let tracingSampledPercent = Setting(
        "tracing.sampled_percent", .number(0...100, of: .percent), default: .value(100),
        "Sampled share of the traces that start at the relay.",
        details: "For a trace that a client started, the flag in its `traceparent` decides.")
}

extension Setting {
    static let tokenProcessingCertificateFiles = Setting(
        "token.processing_certificate_files", .list("paths of files with certificates in PEM or DER"),
        default: .none("none"),
        "Your Apple Pay payment processing certificates, to detect tokens for other certificates.",
        example: "/etc/payrelay/apple_pay.cer",
        details:
            "At most 16; during a [renewal](renewing-certificates.md), the old and the new. Read again on SIGHUP."
    )
    static let tokenUnknownProcessingCertificates = Setting(
        "token.unknown_processing_certificates", .choice(UnknownProcessingCertificates.allCases.map(\.rawValue)),
        default: .value(UnknownProcessingCertificates.refused.rawValue),
        "Whether a token that was encrypted for another certificate is refused.",
        details:
            "`refused` names its `publicKeyHash`. `accepted` relays it; a gateway without the certificate's key refuses it without a reason (FORT: `00099`). A metric counts it, and the log warns once an hour."
    )
    static let tokenSandboxSigners = Setting(
        "token.sandbox_signers", .choice(SandboxSigners.allCases.map(\.rawValue)),
        default: .value(SandboxSigners.accepted.rawValue),
        "Whether tokens of Apple's sandbox are accepted. Set it to refused in production.",
        details: "Their certificates chain to the same root as those of real tokens.")
    static let tokenFreshnessSeconds = Setting(
        "token.freshness_seconds", .number(1...day, of: .seconds), default: .value(300),
        "Permitted distance of a token's signing time from now, past or future.",
        details: "Apple's step 1.e.")
    static let tokenTrustAnchorFile = Setting(
        "token.trust_anchor_file", .file("a certificate in PEM"), default: .none("Apple Root CA - G3, compiled in"),
        "The root that replaces Apple's. For the sandbox: certs/sandbox/root-ca.pem.",
        details: "Only the certificate's name and key count.")
    static let tokenVerification = Setting(
        "token.verification", .choice(TokenVerification.allCases.map(\.rawValue)),
        default: .value(TokenVerification.required.rawValue), "Whether tokens are verified; off relays them unverified."
    )

    static let applePayMerchantIdentifier = Setting(
        "apple_pay.merchant_identifier", .text("a merchant identifier"), default: .none("none"),
        "Your merchant identifier at Apple. Set this and the next four settings together, or none of them.",
        example: "merchant.com.example.shop",
        details:
            "See [Apple Pay on the web](apple-pay-on-the-web.md).")
    static let applePayDisplayName = Setting(
        "apple_pay.display_name", .text("1 to 64 characters", pattern: "^.{1,64}$"), default: .none("none"),
        "The name on the pay sheet.", example: "Example Shop")
    static let applePayDomains = Setting(
        "apple_pay.domains", .list("domain names without scheme, port or path"), default: .none("none"),
        "The web sites for which sessions are requested.", example: "shop.example.com",
        details: "Write internationalized names as `xn--…`.")
    static let applePayIdentityCertificateFile = Setting(
        "apple_pay.identity_certificate_file", .list("paths of files in PEM or DER"), default: .none("none"),
        "The merchant identity certificate of the merchant identifier; during a renewal, the old and the new.",
        example: "/etc/payrelay/merchant_id.cer",
        details:
            "In one file or several, at most 8; the newest that is valid is used. Read again on SIGHUP. See [renewal](renewing-certificates.md)."
    )
    static let applePayIdentityKeyFile = Setting(
        "apple_pay.identity_key_file", .list("paths of files in PEM"), default: .none("none"),
        "The private key of the merchant identity certificate, without a password.",
        example: "/etc/payrelay/merchant_id.key")
    static let applePayDomainFile = Setting(
        "apple_pay.domain_file", .file("a file from Apple"), default: .none("none"),
        "The file that Apple requests at /.well-known/apple-developer-merchantid-domain-association.",
        example: "/etc/payrelay/apple-developer-merchantid-domain-association",
        details: "It is read at the start.")
    static let applePaySandbox = Setting(
        "apple_pay.sandbox", .flag, default: .value("false"),
        "Whether sessions are requested only from the hosts of Apple's sandbox.")
    static let applePaySessionHost = Setting(
        "apple_pay.session_host", .text("127.0.0.1, [::1] or localhost, with a port"), default: .none("Apple's"),
        "A session host in place of Apple's, for tests. Only loopback is allowed.", example: "127.0.0.1:8083")
    static let applePaySessionCAFile = Setting(
        "apple_pay.session_ca_file", .file("a certificate in PEM"), default: .none("the system's roots"),
        "The root of the session host's certificate.")

    static let eventsURL = Setting(
        "events.url", .url, default: .none("none"), "Your backend's address for events of payments.",
        example: "https://shop.example.com/payrelay-events",
        details: "See [events](events.md).")
    static let eventsSecret = Setting(
        "events.secret", .secret("whsec_ and the base64 of 24 to 64 bytes"), default: .none("required with the URL"),
        "The key that events are signed with; during a rotation, the new one and the old one, separated by a space.")
    static let eventsTimeoutSeconds = Setting(
        "events.timeout_seconds", .number(1...60, of: .seconds), default: .value(15),
        "The time in which your backend must acknowledge an event.")
}
