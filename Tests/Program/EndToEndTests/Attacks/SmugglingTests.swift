import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// Requests with an ambiguous end: a proxy before the relay must not see one request if the relay sees two (RFC 9112, 11.2).
/// Each is refused, and its connection is closed.
@Suite struct SmugglingTests {
    private static let head = "POST /v1/payments HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    private static let hidden = "GET /v1/payments/hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"

    private static let bodies: [(fields: String, body: String)] = [
        // Requests with two lengths, or with a length and chunks.
        ("Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\nContent-Length: 6\r\n", "0\r\n\r\n"),
        ("Content-Length: 2\r\nContent-Length: 51\r\n", "{}"), ("Content-Length: 2, 2\r\n", "{}"),
        // Lengths that parsers read differently.
        ("Content-Length: +2\r\n", "{}"), ("Content-Length: -2\r\n", "{}"), ("Content-Length: 0x2\r\n", "{}"),
        ("Content-Length: 18446744073709551618\r\n", "{}"), ("Content-Length: 2 2\r\n", "{}"),
        // Codings that are unknown, or not the last.
        ("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"),
        ("Transfer-Encoding: gzip, chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked,\r\n", "2\r\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked, chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: identity\r\nContent-Length: 2\r\n", "{}"),
        ("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", "0\r\n\r\n"),
        // Names and lines that only some parsers recognize.
        ("Content-Length : 2\r\n", "{}"), ("Transfer-Encoding : chunked\r\nContent-Length: 2\r\n", "{}"),
        ("Transfer-Encoding:\u{B}chunked\r\nContent-Length: 2\r\n", "{}"),
        ("X: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 2\r\n", "{}"),
        ("X: a\r\n\tContent-Length: 51\r\nContent-Length: 2\r\n", "{}"),
        ("X: a\rContent-Length: 51\r\nContent-Length: 2\r\n", "{}"), ("X: a\nContent-Length: 51\r\n", "{}"),
        ("X: a\u{0}\r\nContent-Length: 2\r\n", "{}"), (": 51\r\nContent-Length: 2\r\n", "{}"),
        ("Content-Length\r\nContent-Length: 2\r\n", "{}"),
        // Chunk sizes that parsers read differently.
        ("Transfer-Encoding: chunked\r\n", "2\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "2;a\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "2;a=\"\r\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "fffffffffffffffff2\r\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "0x2\r\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "-2\r\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "1\r\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "2\r\n{}0\r\n\r\n"),
    ]

    private static var others: [String] {
        [
            // HTTP/1.0 has no chunks (RFC 9112, 6.1): a proxy that uses HTTP/1.0 sees the end of the body elsewhere.
            head.replacing("HTTP/1.1", with: "HTTP/1.0") + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            // Requests with two hosts (RFC 9112, 3.2.2).
            "GET http://b/v1/payments/a HTTP/1.1\r\nHost: localhost\r\n\r\n",
            (head + "Content-Length: 2\r\n\r\n{}").replacing("\r\n", with: "\n"),
            head.replacing("Host", with: " Host") + "Content-Length: 2\r\n\r\n{}",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET /v1/payments/a\r\n\r\n", "GET /v1/payments/a HTTP/1.10\r\n\r\n",
            "GET /v1/payments/a HTTP/1.1\r\n\r\n",
            "GET /v1/payments/a HTTP/1.1\r\nHost: localhost\r\nX: a\r\nhost: b\r\n\r\n",
            "GET /v1/payments/a HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
            "GET /v1/payments/a HTTP/1.0\r\nHost: localhost\r\nHost: b\r\n\r\n",
            "GET /v1/payments/a HTTP/1.1\r\nHost: a, b\r\n\r\n", "GET /v1/payments/a HTTP/1.1\r\nHost: a,\r\n\r\n",
            "GET /v1/payments/a HTTP/1.1\r\nHost: a/b@c\r\n\r\n",
            "GET /v1/payments/a HTTP/2.0\r\nHost: localhost\r\n\r\n",
            "GET /v1/payments/a b HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ]
    }

    @Test func anAmbiguousRequestIsRefusedAndNothingAfterItIsRead() async throws {
        let relay = try await RunningRelay()
        let requests = Self.bodies.map { Self.head + $0.fields + "\r\n" + $0.body } + Self.others
        for request in requests {
            let connection = try RawConnection(port: relay.port)
            connection.send(request + Self.hidden)
            let answer = connection.read()
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(request)")
            #expect(answer.contains("urn:payrelay:problem:malformed-request"), "\(request)")
            #expect(answer.contains("Cache-Control: no-store\r\n"), "\(request)")
            #expect(answer.matches(of: #/HTTP/1\.1 /#).count == 1, "\(request)")
            #expect(!answer.contains("no-such-payment") && connection.isEnded, "\(request)")
        }
        #expect(!relay.program.text.contains(#""level":"error""#))
    }

    @Test func http10NeedsNoHost() async throws {
        let relay = try await RunningRelay()
        let connection = try RawConnection(port: relay.port)
        connection.send("GET /v1/payments/a HTTP/1.0\r\n\r\n")
        #expect(connection.read().contains("no-such-payment"))
    }

    /// RFC 9112, 3.2.2: a server must accept the absolute form, although only proxies get it.
    @Test func aTargetMayNameItsHost() async throws {
        let relay = try await RunningRelay()
        let connection = try RawConnection(port: relay.port)
        connection.send("GET http://localhost/v1/payments/a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(connection.read().contains("no-such-payment"))
    }

    @Test("a connection ends with the response to close, also among other options, to HTTP/1.0 and to an upgrade")
    func aConnectionEndsWhereItIsToEnd() async throws {
        let relay = try await RunningRelay()
        // One request is handled on the event loop, one in a task, and one has no route.
        let requests = ["GET /v1/payments/a", "POST /v1/payments/a/refund", "GET /a"]
        for request in requests {
            let ending = [
                "close", "close\t", "keep-alive, close", "Close,keep-alive", "x, CLOSE\r\nConnection: keep-alive",
            ].map {
                "\(request) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: \($0)\r\n\r\n"
            }
            let old = ["", "Connection: keep-alive\r\n"].map { "\(request) HTTP/1.0\r\nContent-Length: 0\r\n\($0)\r\n" }
            // The relay supports no other protocol. The response says that nothing behind the request is read.
            let other = [
                "\(request) HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, x\r\nUpgrade: h2c\r\nContent-Length: 0\r\n\r\n",
                "CONNECT localhost:443 HTTP/1.1\r\nHost: localhost:443\r\n\r\n",
            ]
            for head in ending + old + other {
                let connection = try RawConnection(port: relay.port)
                connection.send(head + head)
                let answer = connection.read()
                #expect(answer.matches(of: #/HTTP/1\.1 /#).count == 1 && connection.isEnded, "\(head)\n\(answer)")
                #expect(answer.contains("\r\nConnection: close\r\n"), "\(head)\n\(answer)")
            }
        }
    }

    /// These requests have the same forms without the fault. They show that the others are refused only for the fault.
    @Test func aRequestWithOneMeaningIsReadAndSoIsTheNext() async throws {
        let relay = try await RunningRelay()
        for (fields, body) in [
            ("Content-Length: 2\r\n", "{}"), ("Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"),
            ("Transfer-Encoding: \t Chunked  \r\n", "2;a=b\r\n{}\r\n0\r\nX: a\r\n\r\n"),
        ] {
            let connection = try RawConnection(port: relay.port)
            connection.send(
                Self.head.replacing("Host: localhost", with: "Host:\tlocalhost \t") + fields + "\r\n" + body
                    + Self.hidden)
            connection.finishSending()
            let slugs = connection.read().matches(of: /urn:payrelay:problem:([a-z-]+)/).map { String($0.1) }
            #expect(slugs == ["invalid-fields", "no-such-payment"], "\(fields)")
        }
    }

    /// No other spelling of a path reaches the path's route.
    @Test func aPathHasOneMeaning() async throws {
        let relay = try await RunningRelay()
        for path in [
            "/v1/payments/a%2Fcapture", "/v1/payments/a/../capture", "/v1/payments/./a/capture",
            "/v1/payments/a%00/capture", "/v1/payments/a;/capture", "/v1/payments/%2e%2e/sdk-tokens", "//v1/payments",
            "/v1//payments", "/v1/payments/", "/v1/payments//", "/v1/payments/?x", "//v1/feedback/direct",
            "/v1/feedback/direct/", "/v1%2Fpayments", "/v1/./payments",
        ] {
            let connection = try RawConnection(port: relay.port)
            connection.send(
                "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
                    + "Connection: close\r\n\r\n{}")
            #expect(connection.read().hasPrefix("HTTP/1.1 404 "), "\(path)")
        }
    }
}
