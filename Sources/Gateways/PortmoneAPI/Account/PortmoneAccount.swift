public import PayrelayPrimitives

/// A merchant's account at Portmone, and how it is charged.
///
/// Portmone's requests are not signed: login and password stand in each of them, so they go over verified TLS and nowhere else.
public struct PortmoneAccount: Sendable, Equatable, Redacted {
    /// Portmone's number of the company, `payeeId`.
    public let payeeID: String
    public let login: String
    /// The login's password, or a password token that Portmone generated for it.
    public let password: Secret
    /// Sent as `aPayMerchantName`: `merchant.` and a reversed domain, as it is registered with Apple and Portmone.
    public let appleMerchantID: String
    public let paymentDataEncoding: PaymentDataEncoding
    public let preauthorization: Preauthorization

    /// - Throws: ``ValidationErrors`` with every value that cannot be one, by the settings' names.
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

    /// Credentials that every request carries, by Portmone's names.
    var credentials: [(String, JSON)] {
        [("login", .string(login)), ("password", .string(password.exposed)), ("payeeId", .string(payeeID))]
    }
}

extension String {
    var isVisibleASCII: Bool { utf8.allSatisfy { (0x21..<0x7F).contains($0) } }

    /// Whether nothing in it steers a terminal, a line or the direction of text.
    var hasNoControls: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
    }
}

/// A notification names its account by the payee alone.
extension PortmoneAccount: MerchantAccount {
    public static let identifierName = "payee"
    public var identifier: String { payeeID }
}

public typealias PortmoneAccounts = MerchantAccounts<PortmoneAccount>

extension PortmoneAccounts.Entry {
    /// The currencies of the orders that it takes. Portmone keeps bills in hryvnias, so another currency has to be listed.
    public var acceptedCurrencies: Set<Currency> { currencies.isEmpty ? [.UAH] : currencies }

    /// The currency of every bill of the account; nil where it takes several.
    public var onlyCurrency: Currency? { acceptedCurrencies.count == 1 ? acceptedCurrencies.first : nil }
}
