public import ApplePayToken
package import Crypto
import Primitives
import SwiftASN1
package import X509

/// Stands in for Apple's PKI and for one merchant. None of its keys is secret: whoever trusts its root trusts everyone.
public struct SandboxPKI: Sendable {
    package let root: X509.Certificate
    package let rootKey: P384.Signing.PrivateKey
    package let intermediate: X509.Certificate
    package let intermediateKey: P256.Signing.PrivateKey
    /// Signs tokens.
    package let leaf: X509.Certificate
    package let leafKey: P256.Signing.PrivateKey
    /// The merchant's payment processing certificate: tokens are encrypted for its key.
    package let merchant: X509.Certificate
    package let merchantKey: P256.KeyAgreement.PrivateKey

    /// The merchant identifier; its SHA-256 stands in the merchant's certificate.
    public let merchantIdentifier = "merchant.sandbox.payrelay"

    /// The root as a trust anchor.
    ///
    /// - Throws: the error of the ASN.1 library or ``PEMError``; never for a PKI that was generated here.
    public func anchor() throws -> TrustAnchor {
        try TrustAnchor(pem: try root.serializeAsPEM().pemString)
    }

    /// Opens a token that was encrypted for the sandbox merchant. Says nothing about who signed it.
    ///
    /// - Throws: ``TokenMintError``; the cryptographic library's error where the data was changed.
    public func open(_ token: PaymentToken) throws -> PaymentData {
        let hash = SHA256.hash(data: merchantKey.publicKey.derRepresentation)
        guard token.header.publicKeyHash.bytes.elementsEqual(hash) else {
            throw TokenMintError.anotherMerchantsToken
        }
        guard let ephemeralPublicKey = token.header.ephemeralPublicKey else { throw TokenMintError.notEllipticCurve }
        let plaintext = try PaymentDataCipher(merchantIdentifier: merchantIdentifier).decrypt(
            token.data.bytes, from: P256.KeyAgreement.PublicKey(derRepresentation: ephemeralPublicKey.bytes),
            with: merchantKey)
        guard let json = try? JSON(parsing: plaintext) else { throw TokenMintError.malformedPaymentData }
        return try PaymentData(json: json)
    }
}
