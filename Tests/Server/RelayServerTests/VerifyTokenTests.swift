import ApplePayToken
import Foundation
import HTTPTypes
import PayrelayPrimitives
import Testing
import TokenMint

@Suite struct TokenVerifyEndpointTests {
    private let bench: ServerBench
    private let token: JSON

    init() throws {
        bench = try ServerBench()
        token = try TokenMint().mint(ServerBench.contents, signedAt: ServerBench.now)
    }

    @Test func acceptsEveryShapeOfAValidToken() async throws {
        let text = JSON.string(String(decoding: token.encoded(), as: UTF8.self))
        let paymentData = try #require(token["paymentData"])
        for body in [token, ["token": token], ["token": text], paymentData, text] as [JSON] {
            let (status, json) = try await bench.post("/v1/tokens/verify", body)
            #expect(status == .ok)
            #expect(json["valid"] == true)
            #expect(json["refusal"] == nil)
            #expect(json["signing_time"] == "2027-01-15T08:00:00Z")
            #expect(json["checks"]?.arrayValue?.count == CheckName.allCases.count)
        }
    }

    @Test func answersWithTheFailedCheck() async throws {
        let stale = try TokenMint().mint(ServerBench.contents, signedAt: ServerBench.now.addingTimeInterval(-301))
        let (status, json) = try await bench.post("/v1/tokens/verify", stale)
        #expect(status == .ok)
        #expect(json["valid"] == false)
        #expect(json["refusal"] == "freshness")
        let check = json["checks"]?.arrayValue?.first { $0["name"] == "freshness" }
        #expect(check?["verdict"] == "failed")
        #expect(check?["detail"]?.stringValue?.contains("301 seconds before") == true)
    }

    @Test func namesEveryWrongFieldOfAMalformedToken() async throws {
        let (status, json) = try await bench.post(
            "/v1/tokens/verify", ["token": ["paymentData": ["version": "EC_v9", "data": "!", "header": [:]]]])
        #expect(status == .badRequest)
        let fields = json["errors"]?.arrayValue?.compactMap { $0["field"]?.stringValue } ?? []
        for field in ["paymentData.version", "paymentData.data", "paymentData.signature"] {
            #expect(fields.contains(field), "\(fields)")
        }
    }

    @Test func answersASimulatorTokenWith422() async throws {
        let (status, json) = try await bench.post(
            "/v1/tokens/verify", ["paymentData": "", "transactionIdentifier": "Simulated Identifier"])
        #expect(status == .unprocessableContent)
        #expect(json["type"] == "urn:payrelay:problem:simulator-token")
    }

    @Test func answers409WithVerificationOff() async throws {
        let (status, json) = try await ServerBench(verifier: nil).post("/v1/tokens/verify", token)
        #expect(status == .conflict)
        #expect(json["type"] == "urn:payrelay:problem:verification-off")
    }

    @Test func acceptsAnRSAToken() async throws {
        let token = try RSATokenMint().mint(ServerBench.contents, signedAt: ServerBench.now)
        let (_, json) = try await bench.post("/v1/tokens/verify", token)
        #expect(json["valid"] == true)
    }
}
