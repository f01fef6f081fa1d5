public import Primitives

/// A merchant's payment processing certificate: Apple encrypts tokens for its key, and whoever has the private key, here
/// FORT, decrypts them. Only the public part is of use here.
public struct ProcessingCertificate: Hashable, Sendable {
    /// SHA-256 of the public key (X.509 SubjectPublicKeyInfo in DER), as the tokens made for it carry it.
    public let publicKeyHash: Base64Text
    /// The subject's distinguished name, in the form of RFC 2253.
    public let subject: String

    init(publicKeyHash: Base64Text, subject: String) {
        self.publicKeyHash = publicKeyHash
        self.subject = subject
    }
}
