public import PayrelayPrimitives

/// A merchant's account at FORT: what its dashboard shows under Security Settings.
///
/// Apple Pay has its own access code, SHA type and phrases there, apart from those for cards. Take the phrases as they
/// stand, `&` and `{` included.
public struct FortAccount: Sendable, Equatable, Redacted {
    public let accessCode: String
    public let merchantIdentifier: String
    /// With the SHA request phrase: signs what goes out.
    let requestSigner: FortSigner
    /// With the SHA response phrase: signs what comes back.
    let responseSigner: FortSigner

    /// - Throws: ``ValidationErrors`` where the access code or the identifier is not one, or a phrase is empty.
    public init(
        accessCode: String, merchantIdentifier: String, signatureType: FortSignatureType = .standard,
        requestPhrase: Secret, responsePhrase: Secret
    ) throws(ValidationErrors) {
        let names = ["access_code": accessCode, "merchant_identifier": merchantIdentifier]
        var errors = FortField.errors(of: FortField.ofAccount, in: { names[$0] })
        if requestPhrase.isEmpty { errors.append(ValidationError(field: "request_phrase", detail: "is missing")) }
        if responsePhrase.isEmpty { errors.append(ValidationError(field: "response_phrase", detail: "is missing")) }
        try ValidationErrors.throwIfAny(errors)
        self.accessCode = accessCode
        self.merchantIdentifier = merchantIdentifier
        requestSigner = FortSigner(phrase: requestPhrase, type: signatureType)
        responseSigner = FortSigner(phrase: responsePhrase, type: signatureType)
    }

    public var signatureType: FortSignatureType { requestSigner.type }
    /// The SHA request phrase.
    public var requestPhrase: Secret { requestSigner.phrase }
    /// The SHA response phrase.
    public var responsePhrase: Secret { responseSigner.phrase }

    public var description: String { "FORT account of \(merchantIdentifier)" }
}

/// A merchant's accounts at FORT; often one per country, and one for Apple Pay.
///
/// Which one a message of FORT belongs to is said by the `access_code` in it and by nothing else (``entry(accessCode:)``): APS's plugins that went by `digital_wallet` let a forger choose the phrase.
public struct FortAccounts: Sendable, Equatable, Redacted {
    /// An account, as the merchant calls it.
    public struct Entry: Sendable, Equatable {
        /// The merchant's own name for the account.
        public let name: String
        /// The currencies of the orders that take this account without naming it.
        public let currencies: Set<Currency>
        public let account: FortAccount

        public init(name: String, currencies: Set<Currency> = [], account: FortAccount) {
            self.name = name
            self.currencies = currencies
            self.account = account
        }
    }

    /// Not empty. Their access codes differ.
    public let entries: [Entry]

    /// - Throws: ``FortAccountsError``.
    public init(_ entries: [Entry]) throws(FortAccountsError) {
        guard !entries.isEmpty else { throw .none }
        // Compared, because an access code decides which phrase verifies a message.
        guard Set(entries.map(\.account.accessCode)).count == entries.count else { throw .repeatedAccessCode }
        self.entries = entries
    }

    /// One account, for every order.
    public init(_ account: FortAccount) {
        entries = [Entry(name: "default", account: account)]
    }

    public func entry(named name: String) -> Entry? {
        entries.first { $0.name == name }
    }

    public func entry(accessCode: String) -> Entry? {
        entries.first { $0.account.accessCode == accessCode }
    }

    public var description: String { "FORT accounts \(entries.map(\.name).joined(separator: ", "))" }
}

/// Why accounts do not make a ``FortAccounts``.
public enum FortAccountsError: Error, Hashable, Sendable, CustomStringConvertible {
    case none
    case repeatedAccessCode

    public var description: String {
        switch self {
        case .none: "there is no account"
        case .repeatedAccessCode: "two accounts have the same access code"
        }
    }
}
