import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// JWTs whose keys are published at a URL.
@Suite struct PublishedKeysTests {
    @Test func tokensAreVerifiedWithTheKeysAtTheURL() async throws {
        let issuer = TokenIssuer()
        let keys = try PublishedKeys([issuer])
        let relay = try await RunningRelay([
            "PAYRELAY_JWT_KEYS_URL": keys.url, "PAYRELAY_JWT_ISSUER": "https://shop.example",
        ])
        let claims: JSONObject = ["iss": "https://shop.example", "scope": "payments:create payments:read"]
        // On a busy machine the first fetch may take too long. The answer is 503 until then.
        try await relay.program.wait(for: "the keys") {
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

    /// The URL's answer after the first key was withdrawn, and the problem that tokens of the first key then get.
    enum NextAnswer: CaseIterable {
        case emptySet
        case unreadableKeyBesideAnother
        case noSet

        func text(other: TokenIssuer) -> String {
            let unreadable: JSON = ["kty": "EC", "crv": "P-256", "kid": "k1", "x": "AA", "y": "AA"]
            let set: JSON = ["keys": [unreadable, other.jwk]]
            return switch self {
            case .emptySet: #"{"keys":[]}"#
            case .unreadableKeyBesideAnother: String(decoding: set.encoded(), as: UTF8.self)
            case .noSet: "<html>503</html>"
            }
        }
    }

    @Test("a withdrawn key is refused from the next fetch on; only an answer that is not a key set changes nothing")
    func withdrawnKey() async throws {
        try await withThrowingTaskGroup { group in
            for answer in NextAnswer.allCases { group.addTask { try await withdraw(answer) } }
            try await group.waitForAll()
        }
    }

    private func withdraw(_ answer: NextAnswer) async throws {
        let (withdrawn, other, stranger) = (TokenIssuer(), TokenIssuer("k2"), TokenIssuer("invented"))
        let keys = try PublishedKeys([withdrawn])
        let relay = try await RunningRelay(["PAYRELAY_JWT_KEYS_URL": keys.url])
        func status(_ issuer: TokenIssuer) async throws -> Int {
            try await relay.pay(try Orders.body().json, bearing: issuer.token(["scope": "payments:create"])).status
        }
        try await relay.program.wait(for: "the keys") { try await status(withdrawn) == 200 }
        keys.publish(answer.text(other: other))
        let fetches = keys.count
        // An unknown `kid` makes the relay fetch the keys, at most once in ten seconds.
        try await relay.program.wait(for: "another fetch") {
            guard try await status(stranger) == 401, keys.count > fetches else { return false }
            if try await status(withdrawn) == (answer == .noSet ? 200 : 401) { return true }
            // On a busy machine the answer may arrive too late for the relay.
            try #require(relay.program.text.contains("JWT keys not fetched"))
            return false
        }
        if answer == .noSet {
            try await relay.program.wait(toPrint: "JWT keys not fetched")
            #expect(try await status(withdrawn) == 200)
        }
        #expect(try await status(other) == (answer == .unreadableKeyBesideAnother ? 200 : 401))
        let skipping = "JWT key skipped"
        if answer == .unreadableKeyBesideAnother {
            try await relay.program.wait(toPrint: skipping)
        } else {
            #expect(!relay.program.text.contains(skipping))
        }
    }

    @Test(arguments: ["http://keys.example/", "ftp://keys.example/", "keys"])
    func anotherURLStopsTheStart(url: String) async throws {
        let (status, text) = try await RunningRelay.start(refusing: ["PAYRELAY_JWT_KEYS_URL": url])
        #expect(status == 78 && text.contains("PAYRELAY_JWT_KEYS_URL must be"))
    }
}
