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

/// The SHA phrases that verify a message of FORT are chosen by the `access_code` in it: APS's plugins that went by `digital_wallet` let a
/// forger choose the phrase.
extension FortAccount: GatewayAccount {
    public static let identifierName = "access code"
    public var identifier: String { accessCode }
}

public typealias FortAccounts = MerchantAccounts<FortAccount>
