import OutboundHTTP
public import PayrelayPrimitives
public import PortmoneAPI
public import Settings

/// Portmone's settings.
extension Setting {
    static let portmonePayeeID = Setting(
        "portmone.payee_id", .text("at most 20 digits", pattern: "^[0-9]{1,20}$"), default: .required,
        "Portmone's number of the company, payeeId.", example: "1185")
    static let portmoneLogin = Setting(
        "portmone.login", .text("at most 100 visible ASCII characters", pattern: "^[!-~]{1,100}$"), default: .required,
        "The login that Portmone gave for its API.", example: "SHOP")
    static let portmonePassword = Setting(
        "portmone.password", .secret("the login's password"), default: .required,
        "The login's password, or a password token.", example: "your-password")
    static let portmoneAppleMerchantID = Setting(
        "portmone.apple_merchant_id", .text("\"merchant.\" and a reversed domain", pattern: "^merchant\\..+$"),
        default: .required, "The Apple merchant identifier that is registered with Portmone.",
        example: "merchant.com.example")
    static let portmonePaymentData = Setting(
        "portmone.payment_data", .choice(PaymentDataEncoding.allCases.map(\.rawValue)),
        default: .value(PaymentDataEncoding.jsonString.rawValue), "The encoding of Apple's paymentData.",
        details: "It is taken from one published request, and has not been tried with a live Portmone.")
    static let portmonePreauthorization = Setting(
        "portmone.preauthorization", .choice(Preauthorization.allCases.map(\.rawValue)),
        default: .value(Preauthorization.never.rawValue), "The charges that only hold the money.",
        details: "See [Portmone](portmone.md).")

    static let portmoneEndpoint = Setting(
        "portmone.endpoint", .url, default: .value(PortmoneEndpoint.production.charges.url),
        "Portmone's address. It publishes no test environment.")
    static let portmoneTimeoutSeconds = Setting(
        "portmone.timeout_seconds", .number(1...300, of: .seconds), default: .value(30),
        "Timeout of all requests to Portmone about one client's request. When it passes, the payment becomes uncertain."
    )
    static let portmoneRequestsInFlightMax = Setting(
        "portmone.requests_in_flight_max", .number(GatewayLimits.requestsInFlightRange),
        default: .value(GatewayLimits().requestsInFlight),
        "Concurrency limit of requests to Portmone.")
    static let portmoneCircuitBreakerFailures = Setting(
        "portmone.circuit_breaker_failures", .number(1...1_000), default: .value(GatewayLimits().failures),
        "The circuit breaker opens after so many consecutive requests without an answer, or with a 5xx.")
    static let portmoneNotificationAddresses = Setting(
        "portmone.notification_addresses", .list("IP addresses"), default: .none("any"),
        "The addresses from which notifications are accepted.", example: "192.0.2.10")
    static let portmoneThreeDSecureCloseAfterSeconds = Setting(
        "portmone.three_d_secure_close_after_seconds", .number(60...86_400, of: .seconds), default: .value(600),
        "The time after which a bill is closed if the bank wants the customer to confirm it on the bank's page.")
    static let portmoneUnseenReturnFinalAfterSeconds = Setting(
        "portmone.unseen_return_final_after_seconds", .number(60...2_592_000, of: .seconds), default: .value(259_200),
        "The time for which a refund without an answer is uncertain before Portmone's silence about it is final.")
}

extension PortmoneModule {
    public static let timeoutSetting = Setting.portmoneTimeoutSeconds

    public static let accountSettings = AccountSettings(
        section: name, title: title, nameOfSingle: name,
        settings: [
            .portmonePayeeID, .portmoneLogin, .portmonePassword, .portmoneAppleMerchantID, .portmonePaymentData,
            .portmonePreauthorization,
        ], singleHasCurrencies: true, currenciesOtherwise: "UAH")

    public static let settings = [
        SettingGroup("Name the Portmone account", accountSettings.settings),
        SettingGroup(
            "Limit requests to Portmone, and set when its silence is final",
            [
                .portmoneEndpoint, .portmoneTimeoutSeconds, .portmoneRequestsInFlightMax,
                .portmoneCircuitBreakerFailures, .portmoneNotificationAddresses,
                .portmoneThreeDSecureCloseAfterSeconds, .portmoneUnseenReturnFinalAfterSeconds,
            ]),
    ]

    /// Reads Portmone's settings.
    ///
    /// - Parameter isRequired: whether a missing account is an error.
    /// - Returns: `nil` if there is no account, or if any setting is invalid.
    public init?(_ settings: inout SettingReader, isRequired: Bool) {
        let accounts = Self.accounts(&settings, isRequired: isRequired)
        let endpoint = settings.value(.portmoneEndpoint) { try? PortmoneEndpoint($0) }
        let timeout = settings.seconds(.portmoneTimeoutSeconds)
        let limits = GatewayLimits(
            requestsInFlight: settings.number(.portmoneRequestsInFlightMax),
            failures: settings.number(.portmoneCircuitBreakerFailures))
        let sources = settings.optional(.portmoneNotificationAddresses) { text -> NotificationSources? in
            let items = SettingKind.items(of: text)
            let addresses = items.compactMap { IPAddress($0) }
            return addresses.count == items.count ? NotificationSources(Set(addresses)) : nil
        }
        let closing = ThreeDSecureClosing(after: settings.seconds(.portmoneThreeDSecureCloseAfterSeconds))
        let unseen = UnseenReturn(isFinalAfter: settings.seconds(.portmoneUnseenReturnFinalAfterSeconds))
        guard let accounts else { return nil }
        self.init(
            accounts: accounts, at: endpoint, timeout: timeout, limits: limits,
            sources: sources ?? NotificationSources(), closing: closing, unseenReturn: unseen)
    }

    /// Reads only the accounts: a sandbox for them needs no other settings of a relay.
    public static func accounts(_ settings: inout SettingReader, isRequired: Bool) -> PortmoneAccounts? {
        settings.accounts(accountSettings, isRequired: isRequired) { settings, setting throws(ValidationErrors) in
            try PortmoneAccount(
                payeeID: settings.required(setting(.portmonePayeeID)),
                login: settings.required(setting(.portmoneLogin)),
                password: settings.secret(setting(.portmonePassword)),
                appleMerchantID: settings.required(setting(.portmoneAppleMerchantID)),
                paymentDataEncoding: settings.choice(setting(.portmonePaymentData)),
                preauthorization: settings.choice(setting(.portmonePreauthorization)))
        }
    }
}
