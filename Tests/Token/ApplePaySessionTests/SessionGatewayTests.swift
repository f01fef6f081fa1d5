import ApplePaySession
import Testing

/// The hosts to which a page may send the service.
@Suite struct SessionGatewayTests {
    @Test func theStaticHostIsApplesAndSoIsItsSandboxs() {
        #expect(
            SessionGateway.production.staticEndpoint.url
                == "https://apple-pay-gateway.apple.com/paymentservices/paymentSession")
        #expect(
            SessionGateway.sandbox.staticEndpoint.url
                == "https://apple-pay-gateway-cert.apple.com/paymentservices/paymentSession")
    }

    @Test(arguments: [
        "https://apple-pay-gateway.apple.com/paymentservices/startSession",
        "https://apple-pay-gateway.apple.com/paymentservices/paymentSession",
        "https://cn-apple-pay-gateway.apple.com/paymentservices/startSession",
    ])
    func applesURLsAreTaken(url: String) throws {
        #expect(try SessionGateway.production.endpoint(validationURL: url).url == url)
    }

    /// Other spellings of the same URL (RFC 3986, 6.2.2.1 and 6.2.3) lead to Apple's host.
    @Test(arguments: [
        "HTTPS://APPLE-PAY-GATEWAY.Apple.Com/paymentservices/startSession",
        "https://apple-pay-gateway.apple.com:443/paymentservices/startSession",
        "https://apple-pay-gateway.apple.com:/paymentservices/startSession",
    ])
    func otherSpellingsOfApplesURLsAreNormalized(url: String) throws {
        #expect(
            try SessionGateway.production.endpoint(validationURL: url).url
                == "https://apple-pay-gateway.apple.com/paymentservices/startSession")
    }

    @Test(arguments: [
        // URLs with the name in another place than the host.
        "https://evil.com/apple-pay-gateway.apple.com",
        "https://evil.com/paymentservices/startSession#apple-pay-gateway.apple.com",
        "https://evil.com/paymentservices/startSession?apple-pay-gateway.apple.com",
        "https://apple-pay-gateway.apple.com@evil.com/paymentservices/startSession",
        "https://apple-pay-gateway.apple.com:443@evil.com/paymentservices/startSession",
        "https://evil.com@apple-pay-gateway.apple.com/paymentservices/startSession",
        "https://@apple-pay-gateway.apple.com/paymentservices/startSession",
        "https://evil.com#@apple-pay-gateway.apple.com/paymentservices/startSession",
        "https://evil.com\\@apple-pay-gateway.apple.com/paymentservices/startSession",
        "https://apple-pay-gateway.apple.com\\.evil.com/paymentservices/startSession",
        "https://evil.com%2F@apple-pay-gateway.apple.com/paymentservices/startSession",
        // Hosts that only look like Apple's.
        "https://apple-pay-gateway.apple.com.evil.com/paymentservices/startSession",
        "https://apple-pay-gateway.apple.com./paymentservices/startSession",
        "https://evil-apple-pay-gateway.apple.com/paymentservices/startSession",
        "https://apple.com/paymentservices/startSession",
        "https://apple-pay-gateway.apple.com%2Eevil.com/paymentservices/startSession",
        "https://apple-pay-gateway%2Eapple.com/paymentservices/startSession",
        "https://apple-pay-gateway.apple.com%00.evil.com/paymentservices/startSession",
        "https://apple-pay-gateway。apple。com/paymentservices/startSession",
        "https://apple-pay-gateway.ａpple.com/paymentservices/startSession",
        "https://аpple-pay-gateway.apple.com/paymentservices/startSession",
        "https://xn--pple-pay-gateway-3yi.apple.com/paymentservices/startSession",
        "https://apple-pay-gateway\u{AD}.apple.com/paymentservices/startSession",
        "https://17.32.139.128/paymentservices/startSession",
        "https://[::ffff:17.32.139.128]/paymentservices/startSession",
        // A host of Apple's older list.
        "https://apple-pay-gateway-nc-pod5.apple.com/paymentservices/startSession",
        // Loopback, and the cloud's metadata service.
        "https://localhost/paymentservices/startSession", "https://127.0.0.1/paymentservices/startSession",
        "http://169.254.169.254/latest/meta-data/",
        // URLs with Apple's host that are wrong in another way.
        "http://apple-pay-gateway.apple.com/paymentservices/startSession",
        "ftp://apple-pay-gateway.apple.com/paymentservices/startSession",
        "//apple-pay-gateway.apple.com/paymentservices/startSession",
        "apple-pay-gateway.apple.com/paymentservices/startSession",
        "https://apple-pay-gateway.apple.com:8443/paymentservices/startSession",
        "https://apple-pay-gateway.apple.com:0/paymentservices/startSession",
        "https://apple-pay-gateway.apple.com:65979/paymentservices/startSession",
        "https://apple-pay-gateway.apple.com", "https://apple-pay-gateway.apple.com/",
        "https://apple-pay-gateway.apple.com/paymentservices/startSession/",
        "https://apple-pay-gateway.apple.com//paymentservices/startSession",
        "https://apple-pay-gateway.apple.com/paymentservices/../startSession",
        "https://apple-pay-gateway.apple.com/paymentservices/startSession?x=1",
        "https://apple-pay-gateway.apple.com/paymentservices/startSession#x",
        "https://apple-pay-gateway.apple.com/paymentservices/start%53ession",
        " https://apple-pay-gateway.apple.com/paymentservices/startSession",
        "https://apple-pay-gateway.apple.com/paymentservices/startSession\r\nX: y",
        "https:apple-pay-gateway.apple.com/paymentservices/startSession",
        "https:///apple-pay-gateway.apple.com/paymentservices/startSession", "https://", "",
    ])
    func everyOtherURLIsRefused(url: String) {
        #expect(throws: ValidationURLError.self) { try SessionGateway.production.endpoint(validationURL: url) }
    }

    @Test func theSandboxsHostsAreRefusedByNameInProduction() throws {
        let url = "https://apple-pay-gateway-cert.apple.com/paymentservices/startSession"
        #expect(throws: ValidationURLError.sandboxHost) { try SessionGateway.production.endpoint(validationURL: url) }
        #expect(try SessionGateway.sandbox.endpoint(validationURL: url).url == url)
        #expect(throws: ValidationURLError.self) {
            try SessionGateway.sandbox.endpoint(
                validationURL: "https://apple-pay-gateway.apple.com/paymentservices/startSession")
        }
    }

    @Test func onlyALoopbackHostMayStandInForApples() throws {
        let gateway = try #require(SessionGateway(loopback: "127.0.0.1:8083"))
        #expect(gateway.staticEndpoint.url == "https://127.0.0.1:8083/paymentservices/paymentSession")
        let url = "https://127.0.0.1:8083/paymentservices/startSession"
        #expect(try gateway.endpoint(validationURL: url).url == url)
        #expect(SessionGateway(loopback: "[::1]:8083") != nil)
        #expect(SessionGateway(loopback: "localhost:8083") != nil)
        for text in [
            "example.com:8083", "127.0.0.1.evil.com:8083", "127.0.0.1@evil.com", "127.0.0.1:8083/x", "127.0.0.1:x",
            "127.0.0.1:99999", "https://127.0.0.1:8083", "",
        ] { #expect(SessionGateway(loopback: text) == nil, "\(text)") }
    }
}
