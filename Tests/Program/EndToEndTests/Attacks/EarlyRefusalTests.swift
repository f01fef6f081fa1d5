import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// Requests that are refused by their first bytes, before any deadline.
@Suite struct EarlyRefusalTests {
    private static let head = "POST /v1/payments HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    /// Settings with deadlines so long that an answer after them would fail the test.
    private static let patient = ["PAYRELAY_HTTP_BODY_TIMEOUT_SECONDS": "600"]

    /// Returns the answer to these bytes. The connection stays open, as if more bytes followed.
    private func answer(_ relay: RunningRelay, _ text: String) throws -> String {
        let connection = try RawConnection(port: relay.port)
        connection.send(text)
        return connection.read(until: "}")
    }

    @Test("S4: a Content-Length beyond the limit is answered with 413 before the body")
    func aContentLengthBeyondTheLimitIs413BeforeTheBody() async throws {
        let relay = try await RunningRelay(Self.patient)
        let announced = [
            "Content-Length: 262145\r\n\r\n", "Content-Length: 9223372036854775807\r\n\r\n",
            "Content-Length: 18446744073709551615\r\n\r\n{", "Expect: 100-continue\r\nContent-Length: 262145\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n" + String(repeating: " ", count: 262_145),
        ]
        for fields in announced {
            let answer = try answer(relay, Self.head + fields)
            #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(fields)")
            #expect(answer.contains("urn:payrelay:problem:body-too-large"), "\(fields)")
        }
        // The request follows another one, which is answered first.
        let two = try answer(
            relay, "GET /v1/payments/a HTTP/1.1\r\nHost: localhost\r\n\r\n" + Self.head + announced[0])
        #expect(two.hasPrefix("HTTP/1.1 404 ") || two.hasPrefix("HTTP/1.1 413 "))
    }

    /// FORT's messages are shorter than the longest allowed body of other routes.
    @Test func theFeedbackRouteHasASmallerBodyLimit() async throws {
        let relay = try await RunningRelay(
            Self.patient.merging(["PAYRELAY_HTTP_BODY_BYTES_MAX": "1048576"]) { $1 })
        let answer = try answer(
            relay,
            "POST /v1/feedback/direct HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Expect: 100-continue\r\nContent-Length: 1048576\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 413 "))
    }

    @Test func anEncodedBodyIs415() async throws {
        let relay = try await RunningRelay(Self.patient)
        for encoding in ["gzip", "br", "identity, gzip", "deflate"] {
            let answer = try answer(relay, Self.head + "Content-Encoding: \(encoding)\r\nContent-Length: 9\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 415 ") && answer.contains("unsupported-content-encoding"))
        }
        let plain = try answer(relay, Self.head + "Content-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}")
        #expect(plain.hasPrefix("HTTP/1.1 400 "))
    }

    @Test func aMethodThatNoPathTakesIs501() async throws {
        let relay = try await RunningRelay(Self.patient)
        for method in ["BREW", "X-A.b", "CONNECT", "PROPFIND", "get"] {
            let answer = try answer(relay, "\(method) /v1/payments HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(
                answer.hasPrefix("HTTP/1.1 501 ") && answer.contains("urn:payrelay:problem:unknown-method"),
                "\(method)")
        }
    }
}
