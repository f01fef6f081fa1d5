import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// Requests of a foreign web page through a browser that can reach the relay.
@Suite struct WebPageTests {
    private static let foreign: [String] = [
        "Origin: https://evil.example\r\n", "Origin: null\r\n", "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\n", "Sec-Fetch-Site: cross-site\r\nOrigin: http://localhost\r\n",
        "Origin: http://localhost:1\r\n",
    ]

    private func answer(_ port: Int, _ line: String, host: String = "localhost", _ fields: String = "") throws -> String
    {
        let connection = try RawConnection(port: port)
        connection.send("\(line) HTTP/1.1\r\nHost: \(host)\r\n\(fields)Connection: close\r\nContent-Length: 0\r\n\r\n")
        return connection.read()
    }

    @Test("S13: a page of another origin cannot refund through a browser")
    func aForeignPageCannotRefund() async throws {
        let relay = try await RunningRelay()
        let reference = Orders.reference()
        #expect(try await relay.pay(Orders.body(reference).json).outcome == "captured")
        let refund = "POST /v1/payments/\(reference)/refund"
        for fields in Self.foreign {
            let answer = try answer(relay.port, refund, fields)
            #expect(answer.hasPrefix("HTTP/1.1 403 ") && answer.contains("problem:cross-site"), "\(fields)")
        }
        // The page's own name resolves to the relay's address (DNS rebinding). To the browser it is the same origin.
        for host in ["evil.example", "evil.example:\(relay.port)", "127.0.0.1.evil.example", "localhost.evil.example"] {
            for line in [refund, "GET /v1/payments/\(reference)"] {
                let answer = try answer(
                    relay.port, line, host: host, "Sec-Fetch-Site: same-origin\r\nOrigin: http://\(host)\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 421 ") && answer.contains("problem:foreign-host"), "\(host)")
            }
        }
        #expect(try await relay.get("/v1/payments/\(reference)").json?["refunded_amount"] != 10_000)
        // The operator's own page and command line are served.
        #expect(
            try answer(
                relay.port, refund, host: "localhost:\(relay.port)", "Origin: http://localhost:\(relay.port)\r\n"
            )
            .hasPrefix("HTTP/1.1 200 "))
    }

    @Test func feedbackAndPublicDocumentsAreServedUnderAnyHost() async throws {
        let relay = try await RunningRelay()
        for path in ["/openapi.yaml", "/payrelay.js", "/payrelay.d.ts"] {
            #expect(try answer(relay.port, "GET \(path)", host: "pay.example").hasPrefix("HTTP/1.1 200 "), "\(path)")
        }
        #expect(try answer(relay.port, "POST /v1/feedback/direct", host: "pay.example").hasPrefix("HTTP/1.1 415 "))
        for fields in Self.foreign {
            #expect(try answer(relay.port, "POST /v1/feedback/direct", fields).hasPrefix("HTTP/1.1 403 "))
        }
    }

    @Test func hostNamesCanBeConfigured() async throws {
        let relay = try await RunningRelay(["PAYRELAY_HTTP_HOSTS": "pay.example, relay.internal"])
        for (host, status) in [
            ("pay.example", 404), ("PAY.example:443", 404), ("relay.internal:8080", 404), ("127.0.0.1", 404),
            ("[::1]:8080", 404), ("evil.example", 421), ("pay.example.evil.example", 421), ("10.0.0.1", 421),
        ] {
            let answer = try answer(relay.port, "GET /v1/payments/a", host: host)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(host)")
        }
    }

    /// A browser does not add a key automatically, and a proxy may forward any name.
    @Test("S13: with keys a cross-site request is refused under any host")
    func withKeysAnyHostIsTakenUnlessNamesAreListed() async throws {
        let key = try await GeneratedKey("shop")
        let authorization = "Authorization: Bearer \(key.key)\r\n"
        let open = try await RunningRelay(["PAYRELAY_API_KEYS": key.line])
        #expect(
            try answer(open.port, "GET /v1/payments/a", host: "pay.example", authorization).hasPrefix("HTTP/1.1 404 "))
        for fields in Self.foreign {
            #expect(
                try answer(open.port, "POST /v1/payments/a/refund", fields + authorization).hasPrefix("HTTP/1.1 403 "))
        }
        let listed = try await RunningRelay(["PAYRELAY_API_KEYS": key.line, "PAYRELAY_HTTP_HOSTS": "pay.example"])
        #expect(
            try answer(listed.port, "GET /v1/payments/a", host: "evil.example", authorization).hasPrefix(
                "HTTP/1.1 421 ")
        )
        #expect(
            try answer(listed.port, "GET /v1/payments/a", host: "pay.example", authorization).hasPrefix("HTTP/1.1 404 ")
        )
    }

    @Test("S13: a page cannot reach the admin listener")
    func theAdminListenerAnswersUnderItsOwnNamesOnly() async throws {
        let relay = try await RunningRelay()
        for path in ["/live", "/ready", "/metrics"] {
            #expect(try answer(relay.adminPort, "GET \(path)").hasPrefix("HTTP/1.1 200 "))
            #expect(try answer(relay.adminPort, "GET \(path)", host: "evil.example").hasPrefix("HTTP/1.1 421 "))
            #expect(try answer(relay.adminPort, "POST \(path)").hasPrefix("HTTP/1.1 405 "))
            #expect(try answer(relay.adminPort, "POST \(path)", Self.foreign[0]).hasPrefix("HTTP/1.1 403 "))
            #expect(try answer(relay.adminPort, "GET /\(path)").hasPrefix("HTTP/1.1 404 "))
        }
    }

    @Test("The monitoring listener serves probes and metrics under any host name, and nothing else")
    func theMonitoringListenerHasProbesAndMetricsAlone() async throws {
        let relay = try await RunningRelay([
            "PAYRELAY_MONITORING_HOST": "0.0.0.0", "PAYRELAY_MONITORING_PORT": "0",
        ])
        try await relay.program.wait(for: "its listener") {
            relay.program.port(logged: "monitoring listening") != nil
        }
        let port = try #require(relay.program.port(logged: "monitoring listening"))
        for path in ["/live", "/ready", "/metrics"] {
            #expect(try answer(port, "GET \(path)", host: "payrelay.payments.svc").hasPrefix("HTTP/1.1 200 "))
            #expect(try answer(port, "POST \(path)").hasPrefix("HTTP/1.1 405 "))
        }
        for path in ["/", "/console", "/console/login", "/v1/payments/ORDER-1", "/openapi.yaml"] {
            #expect(try answer(port, "GET \(path)").hasPrefix("HTTP/1.1 404 "))
        }
    }

    @Test("S13: a page cannot reach the sandbox")
    func theSandboxRefusesForeignPages() async throws {
        let sandbox = try await RunningSandbox()
        for line in ["DELETE /_sandbox/faults", "PUT /_sandbox/feedback", "POST /FortAPI/paymentApi"] {
            for fields in Self.foreign {
                #expect(try answer(sandbox.port, line, fields).hasPrefix("HTTP/1.1 403 "), "\(line) \(fields)")
            }
            #expect(try answer(sandbox.port, line, host: "evil.example").hasPrefix("HTTP/1.1 421 "))
        }
        #expect(try answer(sandbox.port, "GET /_sandbox/orders", host: "evil.example").hasPrefix("HTTP/1.1 421 "))
        #expect(try answer(sandbox.port, "GET //_sandbox/orders").hasPrefix("HTTP/1.1 404 "))
        #expect(try answer(sandbox.port, "GET /_sandbox/orders").hasPrefix("HTTP/1.1 200 "))
    }
}
