public import Crypto

/// Encrypts and decrypts a token's payment data for EC_v1: ECDH on P-256, the key derivation of NIST SP 800-56A,
/// 5.8.1 ("Restoring the symmetric key"), and AES-256-GCM with a nonce of 16 zero bytes and the tag at the end.
public struct PaymentDataCipher: Sendable {
    private let merchantIdentifierHash: [UInt8]

    /// - Parameter merchantIdentifier: the merchant identifier, for example `merchant.com.example`. Its SHA-256
    ///   is in the payment processing certificate and is part of the key derivation.
    public init(merchantIdentifier: String) {
        merchantIdentifierHash = Array(SHA256.hash(data: Array(merchantIdentifier.utf8)))
    }

    /// Encrypts payment data.
    ///
    /// - Returns: the ciphertext, with the tag in its last 16 bytes.
    public func encrypt(
        _ plaintext: [UInt8], with ephemeralKey: P256.KeyAgreement.PrivateKey,
        for merchantKey: P256.KeyAgreement.PublicKey
    ) throws -> [UInt8] {
        let key = symmetricKey(from: try ephemeralKey.sharedSecretFromKeyAgreement(with: merchantKey))
        return try Self.seal(plaintext, using: key)
    }

    /// Encrypts with AES-GCM as both versions of tokens use it: a nonce of zeros, no additional data, and the tag
    /// in the last 16 bytes.
    static func seal(_ plaintext: [UInt8], using key: SymmetricKey) throws -> [UInt8] {
        let box = try AES.GCM.seal(plaintext, using: key, nonce: nonce())
        return Array(box.ciphertext) + Array(box.tag)
    }

    /// Decrypts payment data.
    ///
    /// - Throws: the cryptographic library's error if the data was changed, or encrypted for another merchant.
    public func decrypt(
        _ data: [UInt8], from ephemeralPublicKey: P256.KeyAgreement.PublicKey,
        with merchantKey: P256.KeyAgreement.PrivateKey
    ) throws -> [UInt8] {
        let key = symmetricKey(from: try merchantKey.sharedSecretFromKeyAgreement(with: ephemeralPublicKey))
        let box = try AES.GCM.SealedBox(
            nonce: Self.nonce(), ciphertext: data.dropLast(Self.tagLength), tag: data.suffix(Self.tagLength))
        return Array(try AES.GCM.open(box, using: key))
    }

    private static let tagLength = 16

    /// Returns the nonce. It can be constant, because each token has a new key.
    private static func nonce() throws -> AES.GCM.Nonce {
        try AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 16))
    }

    /// Derives the key: the SHA-256 of a counter, the shared secret and OtherInfo (the algorithm with its length,
    /// party U, party V).
    private func symmetricKey(from secret: SharedSecret) -> SymmetricKey {
        var hash = SHA256()
        hash.update(data: [0, 0, 0, 1])
        secret.withUnsafeBytes { hash.update(bufferPointer: $0) }
        hash.update(data: [0x0D] + Array("id-aes256-GCM".utf8))
        hash.update(data: Array("Apple".utf8))
        hash.update(data: merchantIdentifierHash)
        return SymmetricKey(data: hash.finalize())
    }
}
