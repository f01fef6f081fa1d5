import ApplePayToken
import Crypto
package import CryptoExtras
public import FoundationEssentials
public import PayrelayPrimitives
package import X509

/// Mints tokens of version RSA_v1, which Apple makes where elliptic curves are not allowed: an RSA leaf, itself signed
/// with ECDSA by the same intermediate, and a symmetric key wrapped for the merchant's RSA key.
///
/// A gateway may have no field for a wrapped key (FORT has none): such a token verifies and then is refused. Its keys are new with each mint.
public struct RSATokenMint: Sendable {
    package let pki: SandboxPKI
    package let leaf: X509.Certificate
    package let leafKey: _RSA.Signing.PrivateKey
    /// The merchant's private key in PEM: what opens the tokens.
    package let merchantKeyPEM: String
    /// The merchant's public key as an X.509 SubjectPublicKeyInfo in DER.
    package let merchantPublicKey: [UInt8]

    /// - Throws: the error of the cryptographic library.
    public init(pki: SandboxPKI = .published) throws {
        self.pki = pki
        leafKey = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let merchantKey = try _RSA.Encryption.PrivateKey(keySize: .bits2048)
        merchantKeyPEM = merchantKey.pemRepresentation
        merchantPublicKey = Array(merchantKey.publicKey.derRepresentation)
        leaf = try CertificateTemplate.rsaLeaf.issue(
            to: .init(leafKey.publicKey), by: pki.intermediate.subject, with: .init(pki.intermediateKey))
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
        let key = SymmetricKey(size: .bits128)
        let wrappedKey = try _RSA.Encryption.PublicKey(derRepresentation: merchantPublicKey)
            .encrypt(key.withUnsafeBytes { Array($0) }, padding: .PKCS1_OAEP_SHA256)
        return try UnsignedToken(
            version: .rsaV1, contents: contents,
            data: PaymentDataCipher.seal(PaymentData(contents).json.encoded(), using: key), key: Array(wrappedKey),
            merchantKey: merchantPublicKey, applicationData: applicationData)
    }

    /// A message as Apple's, over this content.
    package func sign(_ content: [UInt8], at moment: Date) throws -> SignedData {
        let attributes = try [CMSAttribute].apple(over: content, at: moment, signature: .sha256WithRSA)
        let signer = try SignerInfo(signing: attributes, with: leafKey, of: leaf)
        return SignedData(certificates: [try leaf.der(), try pki.intermediate.der()], signers: [signer])
    }
}
