public import PayrelayPrimitives

/// A merchant's account at FORT: what its dashboard shows under Security Settings.
///
/// Apple Pay has its own access code, SHA type and phrases there, apart from those for cards. Take the phrases as they
/// stand, `&` and `{` included.
public struct FortAccount: Sendable, Equatable, Redacted {
    public let accessCode: String
    public let merchantIdentifier: String
    public let signatureType: FortSignatureType
    /// The SHA request phrase: signs what goes out.
    public let requestPhrase: Secret
    /// The SHA response phrase: signs what comes back.
    public let responsePhrase: Secret
    /// Whether APS authorizes mada cards for this account. Its Apple Pay page allows both commands for every network; its mobile SDK guide
    /// has "MADA (for Purchase operations and eci Ecommerce only)".
    public let authorizesMada: Bool

    /// - Throws: ``ValidationErrors`` where the access code or the identifier is not one, or a phrase is empty.
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

/// The SHA phrases that verify a message of FORT are chosen by the `access_code` in it: APS's plugins that went by `digital_wallet` let a
/// forger choose the phrase.
extension FortAccount: MerchantAccount {
    public static let identifierName = "access code"
    public var identifier: String { accessCode }
}

public typealias FortAccounts = MerchantAccounts<FortAccount>
