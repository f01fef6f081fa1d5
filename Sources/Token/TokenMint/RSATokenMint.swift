import ApplePayToken
import Crypto
package import CryptoExtras
public import FoundationEssentials
public import PayrelayPrimitives
package import X509

/// Mints tokens of version RSA_v1, which Apple uses in regions that do not allow elliptic curves. The leaf has an
/// RSA key and is itself signed with ECDSA by the same intermediate. The symmetric key is wrapped for the
/// merchant's RSA key.
///
/// A gateway may have no field for a wrapped key (FORT has none). Such a token is valid, but then rejected. Each
/// mint has new keys.
public struct RSATokenMint: Sendable {
    package let pki: SandboxPKI
    package let leaf: X509.Certificate
    package let leafKey: _RSA.Signing.PrivateKey
    /// The merchant's private key in PEM, which decrypts the tokens.
    package let merchantKeyPEM: String
    /// The merchant's public key as an X.509 SubjectPublicKeyInfo in DER.
    package let merchantPublicKey: [UInt8]

    /// Creates a mint with new keys.
    ///
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
        let key = SymmetricKey(size: .bits128)
        let wrappedKey = try _RSA.Encryption.PublicKey(derRepresentation: merchantPublicKey)
            .encrypt(key.withUnsafeBytes { Array($0) }, padding: .PKCS1_OAEP_SHA256)
        return try UnsignedToken(
            version: .rsaV1, contents: contents,
            data: PaymentDataCipher.seal(PaymentData(contents).json.encoded(), using: key), key: Array(wrappedKey),
            merchantKey: merchantPublicKey, applicationData: applicationData)
    }

    /// Signs the content in a message like Apple's.
    package func sign(_ content: [UInt8], at moment: Date) throws -> SignedData {
        let attributes = try [CMSAttribute].apple(over: content, at: moment, signature: .sha256WithRSA)
        let signer = try SignerInfo(signing: attributes, with: leafKey, of: leaf)
        return SignedData(certificates: [try leaf.der(), try pki.intermediate.der()], signers: [signer])
    }
}
