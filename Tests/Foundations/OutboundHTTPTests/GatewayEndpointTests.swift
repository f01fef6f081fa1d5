import PayrelayPrimitives
import Testing

@testable import OutboundHTTP

struct GatewayEndpointTests {
    @Test(arguments: [
        "https://sbpaymentservices.payfort.com/FortAPI/paymentApi", "HTTPS://fort.example/x",
        "http://127.0.0.1:8099/FortAPI/paymentApi", "http://localhost/x", "http://[::1]:80/x",
    ])
    func takesHTTPSAndPlainHTTPToLoopback(url: String) throws {
        #expect(try GatewayEndpoint(url).url == url)
    }

    @Test(arguments: [
        ("http://fort.example/x", SecureURLError.notEncrypted), ("http://127.0.0.1.evil.example/x", .notEncrypted),
        ("http://localhost.evil.example/x", .notEncrypted), ("ftp://fort.example/x", .notHTTP),
        ("fort.example/x", .notAURL), ("", .notAURL), ("https://", .notAURL), ("https:///x", .notAURL),
        ("https://user:pass@fort.example/x", .moreThanAnAddress), ("https://fort.example/x?y", .query),
        ("https://evil#.payfort.com/", .moreThanAnAddress), ("https://fort.example/x y", .notAURL),
        ("https://fort.example\\@evil.example/", .notAURL),
    ])
    func refusesEveryOtherURL(url: String, error: SecureURLError) {
        #expect(throws: error) { try GatewayEndpoint(url) }
    }
}
