import Foundation
import PayrelayPrimitives
import OutboundHTTP
import TestPrograms
import Testing

/// JWTs whose keys are at a URL.
@Suite struct PublishedKeysTests {
    @Test func tokensAreVerifiedWithTheKeysAtTheURL() async throws {
        let issuer = TokenIssuer()
        let keys = try await PublishedKeys([issuer])
        let relay = try await RunningRelay([
            "PAYRELAY_JWT_KEYS_URL": keys.url, "PAYRELAY_JWT_ISSUER": "https://shop.example",
        ])
        let claims: JSONObject = ["iss": "https://shop.example", "scope": "payments:create payments:read"]
        // On a busy machine the first fetch may take too long; then the answer is 503.
        try await relay.program.wait(for: "the keys", within: .seconds(60)) {
            try await relay.pay(try Orders.body().json, bearing: issuer.token(claims)).outcome == "captured"
        }
        let fetches = keys.count
        for _ in 0..<3 {
            let paid = try await relay.pay(try Orders.body().json, bearing: issuer.token(claims))
            #expect(paid.outcome == "captured")
        }
        #expect(keys.count == fetches)
        let stranger = try TokenIssuer("invented").token(claims)
        #expect(try await relay.pay(try Orders.body().json, bearing: stranger).status == 401)
        let other = try issuer.token(["iss": "https://evil.example", "scope": "payments:create"])
        #expect(try await relay.pay(try Orders.body().json, bearing: other).status == 401)
    }

    @Test func whileTheKeysCannotBeFetchedTheAnswerIs503() async throws {
        let dead = try LoopbackSocket()
        let relay = try await RunningRelay(["PAYRELAY_JWT_KEYS_URL": "http://127.0.0.1:\(dead.port)/keys"])
        let answer = try await relay.pay(try Orders.body().json, bearing: TokenIssuer().token())
        #expect(answer.status == 503 && answer.problem == "token-keys-unavailable")
        #expect(answer.header("Retry-After") != nil)
    }

    @Test(arguments: ["http://keys.example/", "ftp://keys.example/", "keys"])
    func anotherURLStopsTheStart(url: String) async throws {
        let (status, text) = try await RunningRelay.start(refusing: ["PAYRELAY_JWT_KEYS_URL": url])
        #expect(status == 78 && text.contains("PAYRELAY_JWT_KEYS_URL must be"))
    }
}
