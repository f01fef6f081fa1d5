import Crypto
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import SwiftASN1
import Testing
import TokenMint
import X509

/// Every `apple_…` parameter at FORT's documented limit and one character beyond. Apple signs the token, so the relay passes it
/// on unchanged: a value beyond a limit is logged and counted, and FORT decides.
@Suite(.enabled(if: FortInPython.isInstalled), .timeLimit(.minutes(25)))
struct TokenLimitTests {
    /// Pays with one token within the limit of a parameter and with one beyond it, and checks what FORT received.
    private func compare(_ parameter: String, within: JSON, beyond: JSON, at path: [String]) async throws {
        let fort = try await FortInPython()
        let relay = try await RunningRelay(fort.settings)
        let metric = #"payrelay_fort_token_limit_violations_total{field="\#(parameter)"}"#

        let good = try await relay.pay(Orders.body().with(["token": within]))
        #expect(good.outcome == "captured", "\(good.json ?? .null)")
        #expect(try await relay.metric(metric) ?? 0 == 0)
        #expect(try await fort.complaints() == [])

        _ = try await relay.pay(Orders.body().with(["token": beyond]))
        #expect(try await relay.metric(metric) == 1)
        try await relay.program.wait(toPrint: parameter)
        let complaints = try await fort.complaints()
        #expect(complaints.count == 1 && complaints[0].contains(parameter), "\(complaints)")
        let received = JSON.object(try await fort.received())
        let objects = [received, received["apple_header"], received["apple_paymentMethod"]]
        #expect(
            objects.compactMap { $0?[parameter] }.first == path.reduce(beyond) { $0[$1] ?? .null },
            "sent as Apple wrote it")
    }

    @Test(arguments: [
        ("displayName", String(repeating: "•", count: 50), String(repeating: "•", count: 51)),
        ("network", "MasterCard", "MasterCards"), ("type", "store", "eMoney"),
    ])
    func paymentMethodIsPassedOn(name: String, within: String, beyond: String) async throws {
        let path = ["paymentMethod", name]
        try await compare(
            "apple_\(name)", within: Orders.token().changing(path) { _ in within },
            beyond: Orders.token().changing(path) { _ in beyond }, at: path)
    }

    /// 500 characters of base64 are 375 bytes. Base64 cannot have 501 characters.
    @Test func theDataIsPassedOn() async throws {
        func token(_ count: Int) throws -> JSON {
            let mint = TokenMint()
            var token = try unsigned()
            token.data = (0..<count).map { _ in .random(in: .min ... .max) }
            return token.json(signature: try mint.sign(token.signedContent, at: Date()).ber())
        }
        try await compare("apple_data", within: token(375), beyond: token(378), at: ["paymentData", "data"])
    }

    @Test func theSignatureIsPassedOn() async throws {
        try await compare(
            "apple_signature", within: token(signatureLength: 3_000), beyond: token(signatureLength: 3_004),
            at: ["paymentData", "signature"])
    }

    /// A key of P-256 has 124 characters. Only the decryption needs a valid key.
    @Test func theEphemeralKeyIsPassedOn() async throws {
        var token = try unsigned()
        token.key = [UInt8](repeating: 0x5A, count: 153)
        let beyond = token.json(signature: try TokenMint().sign(token.signedContent, at: Date()).ber())
        try await compare(
            "apple_ephemeralPublicKey", within: Orders.token(), beyond: beyond,
            at: ["paymentData", "header", "ephemeralPublicKey"])
    }

    /// Apple fixes the lengths of these values, far below FORT's limits. Other lengths are invalid.
    @Test func aValueThatIsNotOfApplesLengthIsRefusedAndNotSent() async throws {
        let fort = try await FortInPython()
        let relay = try await RunningRelay(fort.settings)
        let long = [UInt8](repeating: 0x5A, count: 153)
        for name in ["transactionId", "publicKeyHash", "applicationData"] {
            var token = try unsigned()
            switch name {
            case "transactionId": token.transactionId = long
            case "publicKeyHash": token.publicKeyHash = long
            default: token.applicationData = long
            }
            let signed = token.json(signature: try TokenMint().sign(token.signedContent, at: Date()).ber())
            let answer = try await relay.pay(Orders.body().with(["token": signed]))
            #expect(answer.status == 400 || answer.status == 422, "\(answer.json ?? .null)")
            #expect(String(decoding: answer.body, as: UTF8.self).contains(name))
            #expect(try await fort.received().isEmpty)
        }
    }

    private func unsigned() throws -> UnsignedToken {
        try TokenMint().unsigned(TokenContents(amount: 10_000, currency: "AED"))
    }

    /// Returns a valid token whose signature has `length` characters: it is padded with an unused certificate.
    private func token(signatureLength length: Int) throws -> JSON {
        let token = try unsigned()
        var padding = 100
        // The lengths of ECDSA signatures differ by a byte or two, so the first attempt may miss.
        for _ in 1...100 {
            var message = try TokenMint().sign(token.signedContent, at: Date())
            message.certificates.append(try certificate(padding: padding))
            let signed = token.json(signature: try message.ber())
            let count = signed["paymentData"]?["signature"]?.stringValue?.utf8.count ?? 0
            if count == length { return signed }
            padding += (length - count) / 4 * 3
        }
        throw RunningProgram.LaunchError(description: "no signature of \(length) characters")
    }

    private func certificate(padding: Int) throws -> [UInt8] {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("A bystander") }
        let bytes = [UInt8](repeating: 0, count: padding)
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(bytes: [1]), publicKey: .init(key.publicKey),
            notValidBefore: Date() - 3_600, notValidAfter: Date() + 86_400, issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions([.init(oid: [1, 2, 3, 4], critical: false, value: bytes[...])]),
            issuerPrivateKey: .init(key))
        var serializer = DER.Serializer()
        try certificate.serialize(into: &serializer)
        return serializer.serializedBytes
    }
}
