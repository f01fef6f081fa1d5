import ApplePayToken
import Crypto
public import FoundationEssentials
public import PayrelayPrimitives

/// Mints Apple Pay tokens that differ from Apple's in nothing but the root they chain to.
///
/// This room exists because a service that takes tokens cannot be tried, tested or loaded without them, and Apple's
/// come from a phone with a card in it. A sandbox PKI stands in for Apple's: a P-384 root, a P-256 intermediate and
/// leaf with the same markers, and a merchant's payment processing certificate whose key opens what is minted. Every
/// key in it is public. The message is shaped like Apple's byte by byte, so that readers meet the same BER.
public struct TokenMint: Sendable {
    public let pki: SandboxPKI

    public init(pki: SandboxPKI = .published) {
        self.pki = pki
    }

    /// Mints one token: the object that Apple Pay JS calls `payment.token`.
    ///
    /// - Parameters:
    ///   - contents: what the customer agreed to pay, and with which card.
    ///   - applicationData: SHA-256 of the payment request's `applicationData`, 32 bytes, where the app sets one.
    ///   - signedAt: the signing time; seconds count.
    /// - Throws: ``TokenMintError``, or the error of the cryptographic library.
    public func mint(_ contents: TokenContents, applicationData: [UInt8]? = nil, signedAt: Date) throws -> JSON {
        let token = try unsigned(contents, applicationData: applicationData)
        return token.json(signature: try sign(token.signedContent, at: signedAt).ber())
    }

    /// A token with everything but its signature.
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

    /// A message as Apple's, over this content.
    package func sign(_ content: [UInt8], at moment: Date) throws -> SignedData {
        let signer = try SignerInfo(
            signing: .apple(over: content, at: moment, signature: .ecdsaWithSHA256), with: pki.leafKey, of: pki.leaf)
        return SignedData(certificates: [try pki.leaf.der(), try pki.intermediate.der()], signers: [signer])
    }
}

/// Why no token can be minted, or a minted one not be opened.
public enum TokenMintError: Error, Equatable, Sendable {
    /// No numeric code is known for this currency.
    case unknownCurrency(String)
    case negativeAmount
    /// `applicationData` must be the 32 bytes of a SHA-256.
    case applicationDataIsNoSHA256
    /// The token was encrypted for another merchant's certificate: its `publicKeyHash` is not that of the sandbox.
    case anotherMerchantsToken
    /// The token has no `ephemeralPublicKey`: it is RSA_v1, which the sandbox does not open.
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
