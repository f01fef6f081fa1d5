import ApplePayToken
import Foundation
import HTTPTypes
import PayrelayPrimitives
import Testing
import TokenMint

/// The answer to a payment whose token is valid, but does not meet a requirement of the order or the operator.
@Suite struct TokenPolicyTests {
    private static let hash = Array(repeating: UInt8(7), count: 32)
    private let bench: ServerBench

    init() throws {
        bench = try ServerBench()
    }

    private func pay(
        on bench: ServerBench? = nil, token: JSON, applicationDataHash: JSON? = nil
    ) async throws -> (status: HTTPResponse.Status, json: JSON) {
        var body: JSONObject = [
            "command": "PURCHASE", "merchant_reference": "ORDER-1", "amount": 10_000, "currency": "AED",
            "language": "en", "customer_email": "sara@example.com", "customer_ip": "192.0.2.10", "token": token,
        ]
        body["application_data_hash"] = applicationDataHash
        return try await (bench ?? self.bench).post("/v1/payments", .object(body))
    }

    private func token(applicationData: [UInt8]? = nil) throws -> JSON {
        try TokenMint().mint(ServerBench.contents, applicationData: applicationData, signedAt: ServerBench.now)
    }

    /// The answer is 503, because all checks passed and there is no FORT here. FORT's request has no such field.
    @Test func acceptsMatchingApplicationData() async throws {
        let upperCase = HexText(encoding: Self.hash).text.uppercased()
        let answer = try await pay(
            token: token(applicationData: Self.hash), applicationDataHash: .string(upperCase))
        #expect(answer.status == .serviceUnavailable)
        #expect(answer.json["type"] == "urn:payrelay:problem:processor-unreachable")
    }

    @Test func refusesOtherApplicationData() async throws {
        let expected = JSON.string(HexText(encoding: Self.hash).text)
        for token in try [token(applicationData: Array(repeating: 8, count: 32)), token()] {
            let answer = try await pay(token: token, applicationDataHash: expected)
            #expect(answer.status == .unprocessableContent)
            #expect(answer.json["check"] == "applicationData")
        }
    }

    @Test(arguments: ["07", "", .string("0x" + String(repeating: "07", count: 31)), 7] as [JSON])
    func namesAMalformedHash(hash: JSON) async throws {
        let answer = try await pay(token: token(), applicationDataHash: hash)
        #expect(answer.status == .badRequest)
        #expect(answer.json["errors"]?.arrayValue?.map { $0["field"] } == ["application_data_hash"])
    }

    @Test func refusesAHashWithVerificationOff() async throws {
        let answer = try await pay(
            on: ServerBench(verifier: nil), token: token(),
            applicationDataHash: .string(HexText(encoding: Self.hash).text))
        #expect(answer.status == .badRequest)
        #expect(answer.json["errors"]?.arrayValue?.map { $0["field"] } == ["application_data_hash"])
    }

    @Test func refusesATokenForAnotherCertificate() async throws {
        let pki = SandboxPKI.published
        let bench = try ServerBench(
            verifier: TokenVerifier(
                anchor: pki.anchor(),
                processingCertificates: ProcessingCertificates(
                    ProcessingCertificate.all(inFile: Array(pki.pem(.leaf).utf8)))))
        let answer = try await pay(on: bench, token: token())
        #expect(answer.status == .unprocessableContent)
        #expect(answer.json["check"] == "publicKeyHash")
        #expect(answer.json["detail"]?.stringValue?.contains("00099") == true)
    }

    /// The token is valid, but FORT has no field for its wrapped key.
    @Test func namesAnRSAToken() async throws {
        let token = try RSATokenMint().mint(ServerBench.contents, signedAt: ServerBench.now)
        let answer = try await pay(token: token)
        #expect(answer.status == .badRequest)
        let errors = answer.json["errors"]?.arrayValue ?? []
        #expect(errors.map { $0["field"] } == ["token.paymentData.version"])
        #expect(errors.first?["detail"]?.stringValue?.contains("RSA_v1") == true)
    }
}
