public import PayrelayPrimitives

/// A merchant's account at FORT, with the values that APS's dashboard shows under Security Settings.
///
/// The dashboard has an access code, a SHA type and phrases for Apple Pay, separate from those for cards. Copy
/// the phrases verbatim, including `&` and `{`.
public struct FortAccount: Sendable, Equatable, Redacted {
    public let accessCode: String
    public let merchantIdentifier: String
    public let signatureType: FortSignatureType
    /// The SHA request phrase, which signs requests.
    public let requestPhrase: Secret
    /// The SHA response phrase, which signs answers and feedback.
    public let responsePhrase: Secret
    /// Whether APS authorizes mada cards for this account. APS's Apple Pay page allows both commands for every
    /// network, but its mobile SDK guide has "MADA (for Purchase operations and eci Ecommerce only)".
    public let authorizesMada: Bool

    /// - Throws: ``ValidationErrors`` if the access code or the merchant identifier is invalid, or if a phrase is
    ///   empty.
    public init(
        accessCode: String, merchantIdentifier: String, signatureType: FortSignatureType = .standard,
        requestPhrase: Secret, responsePhrase: Secret, authorizesMada: Bool = false
    ) throws(ValidationErrors) {
        let names = ["access_code": accessCode, "merchant_identifier": merchantIdentifier]
        var errors = FortField.errors(of: FortField.ofAccount, in: { names[$0] })
        if requestPhrase.isEmpty { errors.append(ValidationError(field: "request_phrase", detail: "is missing")) }
        if responsePhrase.isEmpty { errors.append(ValidationError(field: "response_phrase", detail: "is missing")) }
        try ValidationErrors.throwIfAny(errors)
        self.accessCode = accessCode
        self.merchantIdentifier = merchantIdentifier
        self.signatureType = signatureType
        self.requestPhrase = requestPhrase
        self.responsePhrase = responsePhrase
        self.authorizesMada = authorizesMada
    }

    public var description: String { "FORT account of \(merchantIdentifier)" }
}

/// The `access_code` in a message of FORT decides which account's phrases verify the message. APS's plugins
/// decided by `digital_wallet`, which let a forger choose the phrase.
extension FortAccount: MerchantAccount {
    public static let identifierName = "access code"
    public var identifier: String { accessCode }
}

public typealias FortAccounts = MerchantAccounts<FortAccount>
