import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Synchronization
import Testing

/// A client keeps libcurl's handles and their options from request to request. Nothing of one request, or of its answer, may
/// reach the next request.
@Suite(.timeLimit(.minutes(25))) struct ReusedHandleTests {
    // On a busy machine a test may stand still for longer than the usual idle limit of connections.
    let client = OutboundClient(OutboundSettings(idleLimit: .seconds(600)))

    /// Returns a server that answers each request with the request's own text.
    private func mirror() throws -> LoopbackServer {
        try LoopbackServer { connection in
            while let request = connection.readRequest() { connection.answer(body: request.head + request.body) }
        }
    }

    private func requests(to server: LoopbackServer) -> [OutboundRequest] {
        let url = server.url
        return [
            OutboundRequest(method: .get, url: url),
            OutboundRequest(url: url, body: Array("charge".utf8)),
            OutboundRequest(url: url, body: Array(String(repeating: "long", count: 20_000).utf8)),
            OutboundRequest(url: url),
            OutboundRequest(method: .put, url: url, body: Array("put".utf8)),
            OutboundRequest(url: url + "other", headers: [("Content-Type", "text/plain")], body: [0x31]),
            OutboundRequest(url: url, headers: [("X-One", "1"), ("X-Two", "2")], body: [0x32]),
            OutboundRequest(url: url, headers: [("X-One", "1"), ("X-Two", "3")], body: [0x33]),
            OutboundRequest(method: .get, url: url, headers: [("X-One", "")]),
        ]
    }

    @Test("A request is the same bytes whatever the handle has sent before")
    func sendsTheSameBytesAfterAnyOther() async throws {
        let server = try mirror()
        let requests = requests(to: server)
        var expected: [[UInt8]] = []
        for request in requests { expected.append(try await OutboundClient().send(request).get().body) }
        for first in requests.indices {
            for second in requests.indices {
                #expect(try await client.send(requests[first]).get().body == expected[first])
                #expect(try await client.send(requests[second]).get().body == expected[second])
            }
        }
    }

    @Test("Spellings that Unicode takes for the same are different requests")
    func tellsSpellingsApartByTheirBytes() async throws {
        let server = try mirror()
        // Both have the same number of bytes and are equal to Swift: two marks in either order.
        let spellings = ["a\u{323}\u{307}", "a\u{307}\u{323}"]
        #expect(spellings[0] == spellings[1])
        for spelling in spellings + spellings {
            let answer = try await client.send(
                OutboundRequest(url: server.url, headers: [("X-Name", spelling)], body: [0x31])
            ).get()
            #expect(answer.body.split(separator: 0x0A).contains { $0.elementsEqual("X-Name: \(spelling)\r".utf8) })
        }
    }

    @Test("A certificate check for one request does not count for another request")
    func checksEachRequest() async throws {
        let server = try LoopbackServer.echoing()
        func send(_ url: String, _ value: String) -> OutboundRequest {
            OutboundRequest(url: url, headers: [("X", value)], body: [1])
        }
        for _ in 0..<3 {
            #expect(try await client.send(send(server.url, "good")).get().body == [1])
            #expect(await client.failure(of: send(server.url, "good\r\nY: b")).isNotSent)
            #expect(await client.failure(of: send("http://192.0.2.1/", "good")).isNotSent)
            let get = OutboundRequest(method: .get, url: server.url, headers: [("X", "good")], body: [1])
            #expect(await client.failure(of: get).isNotSent)
        }
        #expect(server.requests == 3)
    }

    @Test("The timeout is the request's own, longer or shorter than the one before")
    func takesTheTimeoutOfEachRequest() async throws {
        let count = Atomic(0)
        let server = try LoopbackServer { connection in
            while connection.readRequest() != nil {
                let number = count.wrappingAdd(1, ordering: .relaxed).newValue
                if number == 2 { usleep(2_200_000) }
                if number != 3 { connection.answer() }
            }
        }
        func request(within timeout: Duration) -> OutboundRequest {
            OutboundRequest(url: server.url, body: [1], connectTimeout: timeout, timeout: timeout)
        }
        _ = try await client.send(request(within: .seconds(2))).get()
        _ = try await client.send(request(within: .seconds(60))).get()
        let failure = await client.failure(of: request(within: .seconds(2)))
        #expect(failure.reason.lowercased().contains("timeout"))
        #expect(!failure.isNotSent)
        _ = try await client.send(request(within: .seconds(60))).get()
    }

    @Test("The limit of the answer is the request's own")
    func takesTheAnswerLimitOfEachRequest() async throws {
        let server = try LoopbackServer.echoing()
        let body = [UInt8](repeating: 0x61, count: 20_000)
        for limit in [30_000, 10_000, 30_000] {
            let request = OutboundRequest(url: server.url, body: body, answerLimit: limit)
            if limit > body.count {
                #expect(try await client.send(request).get().body == body)
            } else {
                let tooLarge = Failure.unknown(reason: "the answer is larger than \(limit) bytes")
                #expect(await client.failure(of: request) == tooLarge)
            }
        }
    }

    @Test(
        "An answer changes nothing about the next request to the same URL",
        arguments: [
            "307 Elsewhere\r\nLocation: /elsewhere", "301 Elsewhere\r\nLocation: http://127.0.0.1:1/",
            "401 Who\r\nWWW-Authenticate: Basic realm=\"x\"", "407 Who\r\nProxy-Authenticate: Basic realm=\"x\"",
            "200 OK\r\nSet-Cookie: a=b", "200 OK\r\nConnection: close", "200 OK\r\nAlt-Svc: h2=\":1\"; persist=1",
            "200 OK\r\nStrict-Transport-Security: max-age=31536000", "417 No\r\nConnection: close",
            "429 Slow down\r\nRetry-After: 100", "206 Part\r\nContent-Range: bytes 5-5/6",
        ])
    func anAnswerLeavesNoTrace(head: String) async throws {
        let first = Atomic(true)
        let requests = Mutex<[String]>([])
        let listener = try LoopbackServer { connection in
            while let request = connection.readRequest() {
                requests.withLock { $0.append(request.head + request.body) }
                guard first.exchange(false, ordering: .relaxed) else {
                    connection.answer()
                    continue
                }
                connection.write("HTTP/1.1 \(head)\r\nContent-Length: 0\r\n\r\n")
                if head.contains("close") { return }
            }
        }
        let request = OutboundRequest(url: listener.url, headers: [("X", "1")], body: Array("charge".utf8))
        _ = try await client.send(request).get()
        for _ in 0..<2 { #expect(try await client.send(request).get().status == 200) }
        let seen = requests.withLock { $0 }
        #expect(seen.count == 3)
        #expect(Set(seen).count == 1)
    }

    @Test("An old server's HTTP/1.0 answer does not make the next request an old one")
    func speaksHTTP11AfterAnHTTP10Answer() async throws {
        let server = try LoopbackServer { connection in
            guard let request = connection.readRequest() else { return }
            connection.write("HTTP/1.0 200 OK\r\n\r\n" + request.head)
        }
        let request = OutboundRequest(url: server.url, body: [0x31])
        let heads = try await [client.send(request).get().body, client.send(request).get().body]
        #expect(heads[0] == heads[1])
        #expect(String(decoding: heads[1], as: UTF8.self).hasPrefix("POST / HTTP/1.1\r\n"))
    }

    @Test("A second answer behind the first is not the next request's")
    func takesNoAnswerFromBeforeTheRequest() async throws {
        let server = try LoopbackServer { connection in
            while let request = connection.readRequest() {
                let head = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"
                connection.write(head + request.body + head + "forged")
            }
        }
        for number in 0..<5 {
            let body = Array("body \(number)".utf8)
            #expect(try await client.send(OutboundRequest(url: server.url, body: body)).get().body == body)
        }
    }

    @Test("However often kept connections die, the next request is sent, and its outcome is true")
    func survivesConnectionsThatDie() async throws {
        let server = try LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.answer()
            _ = connection.readRequest()
        }
        let request = OutboundRequest(url: server.url, body: [1])
        for _ in 0..<10 {
            #expect(try await client.send(request).get().status == 200)
            #expect(
                await client.failure(of: request)
                    == .unknown(
                        reason: "the connection broke before an answer came, and the request is not repeated"))
        }
        #expect(server.requests == 20)
    }

    @Test("A failure's words are its own")
    func repeatsNoEarlierWords() async throws {
        let (socket, port) = try LoopbackServer.listen(backlog: 1)
        // The port is still bound but no longer listens, and no other process can get it.
        shutdown(socket, Int32(SHUT_RDWR))
        defer { close(socket) }
        let refused = await client.failure(of: OutboundRequest(url: "http://127.0.0.1:\(port)/", body: [1]))
        #expect(refused.reason.contains("connect"))
        let server = try LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
        }
        let broken = await client.failure(of: OutboundRequest(url: server.url, body: [1]))
        #expect(!broken.isNotSent)
        #expect(!broken.reason.contains("connect"))
    }
}
