public import PayrelayPrimitives

/// A merchant's account at Portmone and the way in which it is charged.
///
/// Portmone's requests are not signed. Each of them contains the login and the password, so requests are sent
/// only over verified TLS.
public struct PortmoneAccount: Sendable, Equatable, Redacted {
    /// Portmone's number of the merchant's company, `payeeId`.
    public let payeeID: String
    public let login: String
    /// The login's password, or a password token that Portmone generated for it.
    public let password: Secret
    /// The Apple merchant identifier that is registered with Apple and with Portmone: `merchant.` and a reversed
    /// domain. It is sent as `aPayMerchantName`.
    public let appleMerchantID: String
    public let paymentDataEncoding: PaymentDataEncoding
    public let preauthorization: Preauthorization

    /// - Throws: ``ValidationErrors`` with every invalid value, named after its setting.
    public init(
        payeeID: String, login: String, password: Secret, appleMerchantID: String,
        paymentDataEncoding: PaymentDataEncoding = .jsonString, preauthorization: Preauthorization = .never
    ) throws(ValidationErrors) {
        var errors: [ValidationError] = []
        func check(_ field: String, _ text: String, upTo limit: Int, isGood: Bool = true, _ kind: String) {
            if text.isEmpty {
                errors.append(ValidationError(field: field, detail: "is missing"))
            } else if text.utf8.count > limit || !isGood {
                errors.append(ValidationError(field: field, detail: "must be \(kind), at most \(limit)"))
            }
        }
        check("payee_id", payeeID, upTo: 20, isGood: payeeID.utf8.allSatisfy(\.isASCIIDigit), "digits")
        check("login", login, upTo: 100, isGood: login.isVisibleASCII, "visible ASCII characters")
        check("password", password.exposed, upTo: 200, isGood: password.exposed.hasNoControls, "characters")
        check(
            "apple_merchant_id", appleMerchantID, upTo: 255,
            isGood: appleMerchantID.isVisibleASCII && appleMerchantID.begins(with: "merchant."),
            "\"merchant.\" and a reversed domain")
        try ValidationErrors.throwIfAny(errors)
        self.payeeID = payeeID
        self.login = login
        self.password = password
        self.appleMerchantID = appleMerchantID
        self.paymentDataEncoding = paymentDataEncoding
        self.preauthorization = preauthorization
    }

    public var description: String { "Portmone account of payee \(payeeID)" }

    /// The credentials that every request carries, under Portmone's names.
    var credentials: [(String, JSON)] {
        [("login", .string(login)), ("password", .string(password.exposed)), ("payeeId", .string(payeeID))]
    }
}

extension String {
    var isVisibleASCII: Bool { utf8.allSatisfy { (0x21..<0x7F).contains($0) } }

    /// Whether the text has no character that controls a terminal, ends a line or changes the direction of text.
    var hasNoControls: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
    }
}

/// A notification names its account only by the payee.
extension PortmoneAccount: MerchantAccount {
    public static let identifierName = "payee"
    public var identifier: String { payeeID }
}

public typealias PortmoneAccounts = MerchantAccounts<PortmoneAccount>

extension PortmoneAccounts.Entry {
    /// The currencies in which the account accepts orders. Portmone keeps bills in hryvnias, so any other
    /// currency has to be listed.
    public var acceptedCurrencies: Set<Currency> { currencies.isEmpty ? [.UAH] : currencies }

    /// The currency of every bill of the account; `nil` if the account accepts several currencies.
    public var onlyCurrency: Currency? { acceptedCurrencies.count == 1 ? acceptedCurrencies.first : nil }
}
