import PaymentRelay
import PayrelayPrimitives
import Testing

@testable import RelayServer

@Suite struct WebhookURLTests {
    @Test(arguments: [
        "https://shop.example/events", "https://shop.example:8443/?key=1", "http://localhost:9000/",
        "http://127.0.0.1/a",
        "http://[::1]:9000/",
    ])
    func mayBeHTTPSOrPlainHTTPToLoopback(text: String) throws {
        #expect(try WebhookURL(text).text == text)
    }

    @Test(
        arguments: [
            ("http://shop.example/", .notEncrypted), ("http://127.0.0.1.evil.com/", .notEncrypted),
            ("http://localhost@shop.example/", .moreThanAnAddress), ("https://a:b@shop.example/", .moreThanAnAddress),
            ("https://shop.example/#top", .moreThanAnAddress), ("ftp://shop.example/", .notHTTP),
            ("shop.example", .notAURL),
            ("https://", .notAURL), ("https://shop.example/a b", .notAURL),
            ("https://shop.example\\@evil.com/", .notAURL),
        ] as [(String, SecureURLError)])
    func isRefusedWithTheReason(text: String, reason: SecureURLError) {
        #expect(throws: reason) { try WebhookURL(text) }
    }

    @Test func onlyA2xxAcknowledges() {
        #expect([200, 204, 299].allSatisfy { EventReception(status: $0) == .acknowledged })
        #expect(
            [199, 300, 302, 400, 404, 410, 429, 500].allSatisfy {
                EventReception(status: $0) == .refused(reason: "the backend answered \($0)")
            })
    }
}
