import ApplePayToken
import Crypto
public import FoundationEssentials
public import PayrelayPrimitives

/// Mints Apple Pay tokens that differ from Apple's only in the root of their certificates.
///
/// This target exists because a service that accepts tokens cannot be tried, tested or loaded without tokens, and
/// Apple's tokens come from a phone with a card in it. A sandbox PKI replaces Apple's: a P-384 root, a P-256
/// intermediate and a P-256 leaf with the same markers, and a merchant's payment processing certificate whose key
/// decrypts the minted tokens. Every key is public. The message has the same bytes as Apple's around its values,
/// so that parsers meet the same BER.
public struct TokenMint: Sendable {
    public let pki: SandboxPKI

    public init(pki: SandboxPKI = .published) {
        self.pki = pki
    }

    /// Mints a token: the object that Apple Pay JS calls `payment.token`.
    ///
    /// - Parameters:
    ///   - contents: the amount and currency that the customer agreed to, and the card.
    ///   - applicationData: the SHA-256 of the payment request's `applicationData`, 32 bytes; `nil` if the app
    ///     sets none.
    ///   - signedAt: the signing time, with a precision of seconds.
    /// - Throws: ``TokenMintError``, or the error of the cryptographic library.
    public func mint(_ contents: TokenContents, applicationData: [UInt8]? = nil, signedAt: Date) throws -> JSON {
        let token = try unsigned(contents, applicationData: applicationData)
        return token.json(signature: try sign(token.signedContent, at: signedAt).ber())
    }

    /// Creates a token without its signature.
    package func unsigned(_ contents: TokenContents, applicationData: [UInt8]? = nil) throws -> UnsignedToken {
        let ephemeralKey = P256.KeyAgreement.PrivateKey()
        let merchantKey = pki.merchantKey.publicKey
        let cipher = PaymentDataCipher(merchantIdentifier: pki.merchantIdentifier)
        let paymentData = try PaymentData(contents).json.encoded()
        return try UnsignedToken(
            version: .ecV1, contents: contents,
            data: cipher.encrypt(paymentData, with: ephemeralKey, for: merchantKey),
            key: Array(ephemeralKey.publicKey.derRepresentation), merchantKey: Array(merchantKey.derRepresentation),
            applicationData: applicationData)
    }

    /// Signs the content in a message like Apple's.
    package func sign(_ content: [UInt8], at moment: Date) throws -> SignedData {
        let signer = try SignerInfo(
            signing: .apple(over: content, at: moment, signature: .ecdsaWithSHA256), with: pki.leafKey, of: pki.leaf)
        return SignedData(certificates: [try pki.leaf.der(), try pki.intermediate.der()], signers: [signer])
    }
}

/// The reason why a token cannot be minted, or a minted token cannot be decrypted.
public enum TokenMintError: Error, Equatable, Sendable {
    /// No numeric code is known for this currency.
    case unknownCurrency(String)
    case negativeAmount
    /// `applicationData` must be the 32 bytes of a SHA-256.
    case applicationDataIsNoSHA256
    /// The token was encrypted for another merchant's certificate: its `publicKeyHash` does not belong to the
    /// sandbox merchant.
    case anotherMerchantsToken
    /// The token has no `ephemeralPublicKey`. It is of version RSA_v1, which the sandbox does not decrypt.
    case notEllipticCurve
    /// The decrypted bytes are not payment data in Apple's format.
    case malformedPaymentData
}

extension TokenMintError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownCurrency(let code): "no ISO 4217 numeric code is known for the currency \(code)"
        case .negativeAmount: "the amount is negative"
        case .applicationDataIsNoSHA256: "applicationData must be the 32 bytes of a SHA-256"
        case .anotherMerchantsToken: "publicKeyHash is not that of the sandbox merchant's certificate"
        case .notEllipticCurve: "the token has no ephemeralPublicKey; RSA_v1 cannot be opened"
        case .malformedPaymentData: "the decrypted payment data is not in Apple's format"
        }
    }
}
