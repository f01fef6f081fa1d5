public import FortAPI
import OutboundHTTP
public import PayrelayPrimitives
public import Settings

/// FORT's settings. The account's settings are required if no gateway has an account.
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

    static let fortAuthorizeMada = Setting(
        "fort.authorize_mada", .flag, default: .value("false"),
        "Whether APS authorizes mada cards for the account. If not, mada cards can only pay with `PURCHASE`.",
        details:
            "APS's page \"Apple Pay API\" allows both commands for every network; its mobile SDK guide has \"MADA (for Purchase operations and eci Ecommerce only)\". Ask APS."
    )

    static let fortEndpoint = Setting(
        "fort.endpoint", .url, default: .value(GatewayEndpoint.fortTest.url),
        "FORT's address. The default is the test environment. Production's address is \(GatewayEndpoint.fortProduction.url)."
    )
    static let fortTimeoutSeconds = Setting(
        "fort.timeout_seconds", .number(1...300, of: .seconds), default: .value(30),
        "Timeout of one request to FORT. When it passes, the payment becomes uncertain.")
    static let fortRequestsInFlightMax = Setting(
        "fort.requests_in_flight_max", .number(GatewayLimits.requestsInFlightRange),
        default: .value(GatewayLimits().requestsInFlight),
        "Concurrency limit of requests to FORT.",
        details:
            "2000 slots allow 1300 payments a second if FORT takes 1.5 seconds, and 200 if it takes 10. If all slots are taken, as many requests again, at most 1000, wait up to half a second. Requests that get no slot are not sent, and are answered with 503. Queries use at most half of the slots, and at most 64. `payrelay doctor` estimates a descriptor and 120 KB of memory for each slot, and compares the sum with the available resources."
    )
    static let fortCircuitBreakerFailures = Setting(
        "fort.circuit_breaker_failures", .number(1...1_000), default: .value(GatewayLimits().failures),
        "The circuit breaker opens after so many consecutive requests without an answer, or with a 5xx.",
        details: "See [the circuit breaker](#shares).")
}

extension FortModule {
    public static let timeoutSetting = Setting.fortTimeoutSeconds

    public static let accountSettings = AccountSettings(
        section: name, title: title, nameOfSingle: "default",
        settings: [
            .fortAccessCode, .fortMerchantIdentifier, .fortRequestPhrase, .fortResponsePhrase, .fortSignatureType,
            .fortAuthorizeMada,
        ])

    public static let settings = [
        SettingGroup("Name the FORT account", accountSettings.settings),
        SettingGroup(
            "Choose FORT's environment, and limit requests to it",
            [.fortEndpoint, .fortTimeoutSeconds, .fortRequestsInFlightMax, .fortCircuitBreakerFailures]),
    ]

    /// Reads FORT's settings.
    ///
    /// - Parameter isRequired: whether a missing account is an error.
    /// - Returns: `nil` if there is no account, or if any setting is invalid.
    public init?(_ settings: inout SettingReader, isRequired: Bool) {
        let accounts = Self.accounts(&settings, isRequired: isRequired)
        let endpoint = settings.value(.fortEndpoint) { try? GatewayEndpoint($0) }
        let timeout = settings.seconds(.fortTimeoutSeconds)
        let limits = GatewayLimits(
            requestsInFlight: settings.number(.fortRequestsInFlightMax),
            failures: settings.number(.fortCircuitBreakerFailures))
        guard let accounts else { return nil }
        self.init(accounts: accounts, endpoint: endpoint, timeout: timeout, limits: limits)
    }

    /// Reads only the accounts.
    ///
    /// - Returns: `nil` if there are no accounts, or if any of their settings is invalid.
    public static func accounts(_ settings: inout SettingReader, isRequired: Bool) -> FortAccounts? {
        settings.accounts(accountSettings, isRequired: isRequired) { settings, setting throws(ValidationErrors) in
            try FortAccount(
                accessCode: settings.required(setting(.fortAccessCode)),
                merchantIdentifier: settings.required(setting(.fortMerchantIdentifier)),
                signatureType: settings.choice(setting(.fortSignatureType)),
                requestPhrase: settings.secret(setting(.fortRequestPhrase)),
                responsePhrase: settings.secret(setting(.fortResponsePhrase)),
                authorizesMada: settings.value(setting(.fortAuthorizeMada)) { Bool($0) })
        }
    }
}
