import PaymentRelay
import Testing

@testable import RelayServer

/// The stored excerpt of a backend's answer.
@Suite struct AnswerExcerptTests {
    private let key = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldY"

    private func excerpt(_ body: [UInt8], of url: String = "https://shop.example/events") throws -> String? {
        let settings = MerchantWebhook.Settings(
            url: try WebhookURL(url), secrets: [try WebhookSecret("whsec_" + key)])
        return AnswerExcerpt(of: body, settings: settings, signature: "v1,c2ln v1,bmF0").text
    }

    @Test func isItsBeginningWithinABound() throws {
        #expect(try excerpt([]) == nil)
        #expect(try excerpt(Array("no such table".utf8)) == "no such table")
        let megabytes = try #require(try excerpt(Array(repeating: 0x61, count: 5_000_000)))
        #expect(megabytes.utf8.count == DeliveryAttempt.answerLimit)
        let cut = try #require(try excerpt(Array(String(repeating: "\u{1F600}", count: 1_000).utf8)))
        #expect(cut == String(repeating: "\u{1F600}", count: DeliveryAttempt.answerLimit / 4))
    }

    @Test func isTextThatSteersNothing() throws {
        let hostile = "\u{1B}[31m<script>alert(1)</script>\0\r\u{202E}\u{2028}\u{9B}\tok\n"
        #expect(
            try excerpt(Array(hostile.utf8))
                == "\u{FFFD}[31m<script>alert(1)</script>\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\tok\n")
        #expect(try excerpt([0xFF, 0xFE, 0x80]) == "\u{FFFD}\u{FFFD}\u{FFFD}")
    }

    @Test("S1: nothing is kept of an answer that holds the key or the signature, wherever it does")
    func holdsNoKey() throws {
        for secret in [key, "c2ln", "bmF0"] {
            #expect(try excerpt(Array("secret=\(secret);".utf8)) == nil)
            #expect(try excerpt(Array((String(repeating: "x", count: 3_000) + secret).utf8)) == nil)
        }
    }

    @Test("S1: nothing is kept of an answer that holds a value of the URL's query")
    func holdsNoValueOfTheQuery() throws {
        let url = "https://shop.example/events?v=1&key=a%2Fb%3Dc&letmein"
        for secret in ["a%2Fb%3Dc", "a/b=c", "letmein"] {
            #expect(try excerpt(Array("no route for ?\(secret)".utf8), of: url) == nil)
        }
        #expect(try excerpt(Array("no route for the key of v1".utf8), of: url) == "no route for the key of v1")
    }

    @Test("S1: a long segment of the path may be a key: nothing is kept of an answer that holds it")
    func holdsNoSegmentOfThePath() throws {
        let url = "https://shop.example/services/T0%2FABCDEFGHIJKLMNOP/hook"
        for segment in ["T0%2FABCDEFGHIJKLMNOP", "T0/ABCDEFGHIJKLMNOP"] {
            #expect(try excerpt(Array("no hook \(segment)".utf8), of: url) == nil)
        }
        #expect(try excerpt(Array("no hook in services".utf8), of: url) == "no hook in services")
    }

    @Test("S1: the endpoint that is recorded and shown has neither path nor query")
    func theEndpointHasNoPath() throws {
        #expect(try WebhookURL("https://shop.example/hooks/secret?key=secret").endpoint == "https://shop.example")
        #expect(try WebhookURL("https://shop.example:8443/a").endpoint == "https://shop.example:8443")
    }
}
