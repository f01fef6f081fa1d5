import ApplePayToken
import Foundation
import PayrelayPrimitives
import Testing

@testable import TokenMint

@Suite struct TokenMintTests {
    private let contents = TokenContents(amount: 10000, currency: "AED")
    private let moment = Date(timeIntervalSince1970: 1_800_000_000)

    private func token(_ contents: TokenContents, applicationData: [UInt8]? = nil) throws -> PaymentToken {
        try PaymentToken(json: TokenMint().mint(contents, applicationData: applicationData, signedAt: moment))
    }

    @Test(arguments: CardNetwork.allCases)
    func aMintedTokenOpensToItsContents(network: CardNetwork) throws {
        let contents = TokenContents(amount: 12345, currency: "KWD", network: network, type: .credit)
        let token = try token(contents)
        let data = try SandboxPKI.published.open(token)
        #expect(data.transactionAmount == 12345)
        #expect(data.currencyCode == "414")
        #expect(data.applicationPrimaryAccountNumber == network.testAccountNumbers[0])
        #expect(token.paymentMethod?.network == network.rawValue)
        #expect(token.paymentMethod?.type == .credit)
        #expect(token.paymentMethod?.displayName == "\(network.rawValue) 0492")
    }

    @Test func isShapedAsApplesTokens() throws {
        let json = try TokenMint().mint(contents, signedAt: moment)
        let token = try PaymentToken(json: json)
        #expect(json.objectValue?.names == ["paymentData", "paymentMethod", "transactionIdentifier"])
        #expect(token.header.transactionId.bytes.count == 32)
        #expect(token.transactionIdentifier == token.header.transactionId.text.uppercased())
        // Every token since 2024 begins like this: indefinite lengths, and no parameters for SHA-256.
        #expect(
            token.signature.text.hasPrefix("MIAGCSqGSIb3DQEHAqCAMIACAQExDTALBglghkgBZQMEAgEwgAYJKoZIhvcNAQcBAACggDCC"))
        #expect(token.signature.text.hasSuffix("AAAAAAAA") || token.signature.bytes.suffix(6).allSatisfy { $0 == 0 })
    }

    @Test func noTwoTokensAreTheSamePayment() throws {
        let tokens = try (0..<20).map { _ in try token(contents) }
        #expect(Set(tokens.map { Array($0.digest) }).count == 20)
        #expect(Set(tokens.map(\.header.transactionId)).count == 20)
    }

    @Test func refusesWhatAppleWouldNotMake() {
        #expect(throws: TokenMintError.unknownCurrency("XXX")) {
            try token(TokenContents(amount: 1, currency: "XXX"))
        }
        #expect(throws: TokenMintError.negativeAmount) { try token(TokenContents(amount: -1, currency: "AED")) }
        #expect(throws: TokenMintError.applicationDataIsNoSHA256) { try token(contents, applicationData: [1]) }
    }

    @Test func doesNotOpenAnotherMerchantsToken() throws {
        let other = try SandboxPKI.generate()
        let token = try token(contents)
        #expect(throws: TokenMintError.anotherMerchantsToken) { try other.open(token) }
    }

    @Test func doesNotOpenChangedData() throws {
        var unsigned = try TokenMint().unsigned(contents)
        unsigned.data[0] ^= 1
        let token = try PaymentToken(json: unsigned.json(signature: [0]))
        #expect(throws: (any Error).self) { try SandboxPKI.published.open(token) }
    }

    // MARK: Other implementations

    @Test(.enabled(if: Command.exists("openssl", "version")))
    func opensslAcceptsTheSignature() throws {
        let token = try token(contents, applicationData: Array(repeating: 9, count: 32))
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

    /// A second implementation of Apple's "Restoring the symmetric key", in another language and with another library.
    private static let decryption = """
        import hashlib, sys
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.asymmetric.ec import ECDH
        from cryptography.hazmat.primitives.serialization import load_der_public_key, load_pem_private_key
        from cryptography.x509 import ObjectIdentifier, load_pem_x509_certificate
        read = lambda name: open(name, "rb").read()
        certificate = load_pem_x509_certificate(read("certificate"))
        extension = certificate.extensions.get_extension_for_oid(ObjectIdentifier("1.2.840.113635.100.6.32"))
        party = bytes.fromhex(extension.value.value[2:].decode())
        key = load_pem_private_key(read("key"), None)
        secret = key.exchange(ECDH(), load_der_public_key(read("ephemeral")))
        info = b"\\x0did-aes256-GCM" + b"Apple" + party
        symmetric = hashlib.sha256(b"\\0\\0\\0\\1" + secret + info).digest()
        sys.stdout.buffer.write(AESGCM(symmetric).decrypt(bytes(16), read("data"), None))
        """

    @Test(.enabled(if: Command.exists("python3", "-c", "import cryptography")))
    func pythonDecryptsTheSame() throws {
        let token = try token(contents)
        let result = try Command.run(
            ["python3", "-c", Self.decryption],
            files: [
                "certificate": Data(try SandboxPKI.published.pem(.merchant).utf8),
                "key": Data(try SandboxPKI.published.pem(.merchantKey).utf8),
                "ephemeral": Data(token.header.ephemeralPublicKey?.bytes ?? []), "data": Data(token.data.bytes),
            ])
        #expect(result.succeeded, "\(result.output)")
        let json = try JSON(parsing: result.output)
        #expect(try PaymentData(json: json) == SandboxPKI.published.open(token))
        #expect(json["transactionAmount"] == 10000)
        #expect(json["currencyCode"] == "784")
    }
}
