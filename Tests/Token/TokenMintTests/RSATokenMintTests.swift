import ApplePayToken
import Crypto
import Foundation
import PayrelayPrimitives
import Testing
import X509

@testable import TokenMint

@Suite struct RSATokenMintTests {
    private let mint: RSATokenMint
    private let token: PaymentToken

    init() throws {
        mint = try RSATokenMint()
        token = try PaymentToken(
            json: mint.mint(
                TokenContents(amount: 10000, currency: "AED"), signedAt: Date(timeIntervalSince1970: 1_800_000_000)))
    }

    @Test func isShapedAsApplesRSATokens() {
        #expect(token.version == .rsaV1)
        #expect(token.header.ephemeralPublicKey == nil)
        #expect(token.header.wrappedKey?.bytes.count == 256)
        // The key of the leaf is RSA and the intermediate signs with ECDSA, as with Apple's certificates.
        #expect(mint.leaf.signatureAlgorithm == .ecdsaWithSHA256)
        #expect(token.header.publicKeyHash.bytes == Array(SHA256.hash(data: mint.merchantPublicKey)))
    }

    @Test(.enabled(if: Command.exists("openssl", "version")))
    func opensslAcceptsTheSignature() throws {
        let arguments = [
            "openssl", "cms", "-verify", "-binary", "-inform", "DER", "-in", "message", "-content", "content",
            "-CAfile", "root", "-purpose", "any", "-attime", "1800000000", "-out", "/dev/null",
        ]
        var files = [
            "message": Data(token.signature.bytes), "content": Data(token.signedContent),
            "root": Data(try SandboxPKI.published.pem(.root).utf8),
        ]
        #expect(try Command.run(arguments, files: files).succeeded)
        files["content"]?[0] ^= 1
        #expect(try !Command.run(arguments, files: files).succeeded)
    }

    /// Apple's "Restoring the symmetric key" for RSA, in another language and with another library.
    private static let decryption = """
        import sys
        from cryptography.hazmat.primitives.asymmetric.padding import MGF1, OAEP
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.serialization import load_pem_private_key
        read = lambda name: open(name, "rb").read()
        key = load_pem_private_key(read("key"), None)
        symmetric = key.decrypt(read("wrapped"), OAEP(MGF1(SHA256()), SHA256(), None))
        assert len(symmetric) == 16
        sys.stdout.buffer.write(AESGCM(symmetric).decrypt(bytes(16), read("data"), None))
        """

    @Test(.enabled(if: Command.exists("python3", "-c", "import cryptography")))
    func pythonDecryptsIt() throws {
        let result = try Command.run(
            ["python3", "-c", Self.decryption],
            files: [
                "key": Data(mint.merchantKeyPEM.utf8),
                "wrapped": Data(token.header.wrappedKey?.bytes ?? []), "data": Data(token.data.bytes),
            ])
        #expect(result.succeeded, "\(result.output)")
        #expect(try JSON(parsing: result.output)["transactionAmount"] == 10000)
    }
}
