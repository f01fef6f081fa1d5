import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Testing

@Suite(.timeLimit(.minutes(25))) struct ExchangeTests {
    // On a busy machine a test may stand still for longer than the usual idle limit of connections.
    let client = OutboundClient(OutboundSettings(idleLimit: .seconds(600)))

    @Test func sendsExactlyWhatItWasGiven() async throws {
        let server = try LoopbackServer { connection in
            while let request = connection.readRequest() {
                connection.answer(
                    status: 201, headers: "X-Kind: a\r\nx-kind: b\r\nEmpty:\r\n", body: request.head + request.body)
            }
        }
        let body = String(repeating: "é\0", count: 100_000)
        let answer = try await client.send(
            OutboundRequest(
                url: server.url + "pay?x=1",
                headers: [("Content-Type", "application/json"), ("X-Empty", ""), ("X-Trace", "1")],
                body: Array(body.utf8))
        ).get()
        #expect(answer.status == 201)
        #expect(answer.header("X-KIND") == "a")
        #expect(answer.header("empty") == "")
        #expect(answer.header("absent") == nil)
        #expect(answer.headers.map(\.name) == ["Content-Length", "X-Kind", "x-kind", "Empty"])
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.hasSuffix("\r\n\r\n" + body))
        #expect(
            text.components(separatedBy: "\r\n\r\n")[0]
                == """
                POST /pay?x=1 HTTP/1.1
                Host: 127.0.0.1:\(server.port)
                Accept: */*
                Content-Type: application/json
                X-Empty:
                X-Trace: 1
                Content-Length: \(body.utf8.count)
                """.replacingOccurrences(of: "\n", with: "\r\n"))
    }

    @Test func keepsAConnectionAliveAndReusesIt() async throws {
        let server = try LoopbackServer.echoing()
        for number in 0..<5 {
            let answer = try await client.send(OutboundRequest(url: server.url, body: Array("\(number)".utf8))).get()
            #expect(answer.body == Array("\(number)".utf8))
            #expect(answer.reusedConnection == (number > 0))
        }
        #expect(server.connections == 1)
        #expect(server.requests == 5)
    }

    @Test func doesNotReuseAConnectionThatWasIdleTooLong() async throws {
        let server = try LoopbackServer.echoing()
        let client = OutboundClient(OutboundSettings(idleLimit: .seconds(1)))
        for _ in 0..<2 {
            #expect(try await client.send(OutboundRequest(url: server.url)).get().reusedConnection == false)
            try await Task.sleep(for: .milliseconds(2100))
        }
        #expect(server.connections == 2)
    }

    @Test func givesEachOf200ConcurrentRequestsItsOwnAnswer() async throws {
        let server = try LoopbackServer.echoing()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask { [client] in
                    let body = Array("request \(number) ".utf8) + [UInt8](repeating: 0x61, count: number * 100)
                    return try await client.send(OutboundRequest(url: server.url, body: body)).get().body == body
                }
            }
            for try await isItsOwn in group { #expect(isItsOwn) }
        }
        #expect(server.requests == 200)
    }

    @Test func returnsARedirectInsteadOfFollowingIt() async throws {
        let elsewhere = try LoopbackServer.echoing()
        let server = try LoopbackServer { connection in
            while connection.readRequest() != nil {
                connection.answer(status: 307, headers: "Location: \(elsewhere.url)\r\n")
            }
        }
        let answer = try await client.send(OutboundRequest(url: server.url, body: [1])).get()
        #expect(answer.status == 307)
        #expect(answer.header("location") == elsewhere.url)
        #expect(elsewhere.connections == 0)
    }

    @Test func leavesInformationalAnswersAndTrailersOutOfTheHeader() async throws {
        let server = try LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 103 Early Hints\r\nLink: early\r\n\r\n")
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Real: 1\r\n\r\n")
            connection.write("3\r\nabc\r\n0\r\nX-Trailer: 1\r\n\r\n")
        }
        let answer = try await client.send(OutboundRequest(url: server.url, body: [1])).get()
        #expect(answer.body == Array("abc".utf8))
        #expect(answer.headers.map(\.name) == ["Transfer-Encoding", "X-Real"])
    }

    @Test func leavesTrailersAfterAnEmptyBodyOutOfTheHeader() async throws {
        let server = try LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Real: 1\r\n\r\n")
            connection.write("0\r\nX-Trailer: 1\r\n\r\n")
        }
        let answer = try await client.send(OutboundRequest(url: server.url, body: [1])).get()
        #expect(answer.body == [])
        #expect(answer.headers.map(\.name) == ["Transfer-Encoding", "X-Real"])
    }

    @Test func sendsAGetWithoutABody() async throws {
        let server = try LoopbackServer { connection in
            while let request = connection.readRequest() { connection.answer(body: request.head) }
        }
        let answer = try await client.send(OutboundRequest(method: .get, url: server.url)).get()
        #expect(String(decoding: answer.body, as: UTF8.self).hasPrefix("GET / HTTP/1.1\r\n"))
        let withBody = OutboundRequest(method: .get, url: server.url, body: [1])
        #expect(await client.failure(of: withBody) == .notSent(reason: "a GET has no body"))
    }
}
