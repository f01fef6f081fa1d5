import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(25))) struct FailureTests {
    // On a busy machine a test may stand still for longer than the usual idle limit of connections.
    let client = OutboundClient(OutboundSettings(idleLimit: .seconds(600)))

    // MARK: Once is enough

    private let notRepeated = "the connection broke before an answer came, and the request is not repeated"

    @Test(arguments: [true, false])
    func doesNotRepeatARequestWhoseKeptAliveConnectionDies(withReset: Bool) async throws {
        let server = try LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.answer()
            guard connection.readRequest() != nil else { return }
            withReset ? connection.reset() : connection.end()
        }
        let request = OutboundRequest(url: server.url, body: Array("charge".utf8))
        _ = try await client.send(request).get()
        #expect(await client.failure(of: request) == .unknown(reason: notRepeated))
        #expect(server.requests == 2)
        #expect(server.conversations == 1)
    }

    @Test func doesNotRepeatARequestWithoutABodyEither() async throws {
        let server = try LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.answer()
            _ = connection.readRequest()
        }
        let request = OutboundRequest(url: server.url)
        _ = try await client.send(request).get()
        #expect(await client.failure(of: request) == .unknown(reason: notRepeated))
        #expect(server.requests == 2)
        #expect(server.conversations == 1)
    }

    @Test func opensANewConnectionIfTheOldOneWasClosedMeanwhile() async throws {
        let closed = Atomic(0)
        let server = try LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.answer()
            connection.end()
            closed.add(1, ordering: .sequentiallyConsistent)
        }
        for number in 1...2 {
            _ = try await client.send(OutboundRequest(url: server.url, body: [1])).get()
            while closed.load(ordering: .sequentiallyConsistent) < number {
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        #expect(server.requests == 2)
    }

    // MARK: Not sent

    @Test func aRequestIsNotSentIfNothingListens() async throws {
        let (socket, port) = try LoopbackServer.listen(backlog: 1)
        // The port is still bound but no longer listens, and no other process can get it.
        shutdown(socket, Int32(SHUT_RDWR))
        defer { close(socket) }
        let failure = await client.failure(of: OutboundRequest(url: "http://127.0.0.1:\(port)/", body: [1]))
        #expect(failure.isNotSent)
        #expect(failure.reason.contains("connect"))
    }

    @Test func aRequestIsNotSentIfTheConnectionIsNotAcceptedInTime() async throws {
        let (socket, port) = try LoopbackServer.listen(backlog: 0)
        defer { close(socket) }
        let url = "http://127.0.0.1:\(port)/"
        // The first connections fill the queue of connections that wait to be accepted. The kernel drops the others.
        let failures = await withTaskGroup(of: Failure.self) { group in
            for _ in 0..<8 {
                group.addTask { [client] in
                    await client.failure(
                        of: OutboundRequest(
                            url: url, body: [1], connectTimeout: .seconds(2), timeout: .seconds(4)))
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(failures.contains { $0.isNotSent && $0.reason.lowercased().contains("timeout") })
        #expect(failures.contains { !$0.isNotSent })
    }

    @Test(arguments: [
        "http://192.0.2.1/", "http://127.0.0.1.example.com/", "http://127.0.0.1@192.0.2.1/", "http://127.0.0.256/",
        "http://localhost.example.com/", "http://[::2]/", "http://0.0.0.0/", "ftp://127.0.0.1/", "file:///etc/passwd",
        "", "/relative", "127.0.0.1", "https://", "https://exa mple.com/", "http://127.0.0.1:99999/",
        "http://127.0.0.1/\0",
    ])
    func refusesAURLThatMayNotBeConnectedTo(url: String) async {
        let failure = await client.failure(of: OutboundRequest(url: url, body: [1]))
        #expect(failure.isNotSent)
        #expect(failure.reason.contains("URL") || failure.reason.contains("loopback"))
    }

    @Test(arguments: ["127.0.0.1", "127.1", "localhost", "LOCALHOST"])
    func takesEverySpellingOfLoopback(host: String) async throws {
        let server = try LoopbackServer.echoing()
        #expect(
            try await client.send(OutboundRequest(url: "http://\(host):\(server.port)/", body: [7])).get()
                .body == [7])
    }

    @Test(arguments: [
        ("Content-Length", "1"), ("transfer-encoding", "chunked"), ("X", "a\r\nY: b"), ("X", "a\nb"), ("X", "a\0b"),
        ("X Y", "a"), ("", "a"), ("X:", "a"), ("é", "a"),
    ])
    func refusesAHeaderFieldThatWouldBreakTheRequest(name: String, value: String) async throws {
        let server = try LoopbackServer.echoing()
        let failure = await client.failure(of: OutboundRequest(url: server.url, headers: [(name, value)], body: [1]))
        #expect(failure.isNotSent)
        #expect(failure.reason.contains("header field"))
        #expect(server.connections == 0)
    }

    @Test func refusesMoreThanTheLimitInFlight() async throws {
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            _ = connection.readRequest()
        }
        let client = OutboundClient(OutboundSettings(inFlightLimit: 1))
        let first = Task {
            await client.failure(of: OutboundRequest(url: server.url, body: [1], timeout: .seconds(900)))
        }
        while server.requests == 0 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(
            await client.failure(of: OutboundRequest(url: server.url, body: [1]))
                == .notSent(reason: "too many requests in flight (the limit is 1)"))
        first.cancel()
        _ = await first.value
        let echo = try LoopbackServer.echoing()
        #expect(try await client.send(OutboundRequest(url: echo.url, body: [1])).get().body == [1])
    }

    // MARK: No answer

    @Test func givesUpOnAServerThatNeverAnswers() async throws {
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            _ = connection.readRequest()
        }
        let failure = await client.failure(of: OutboundRequest(url: server.url, body: [1], timeout: .seconds(2)))
        #expect(!failure.isNotSent)
        #expect(failure.reason.lowercased().contains("timeout"))
        while server.requests == 0 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(server.requests == 1)
    }

    @Test(
        "S6: takes no broken answer",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
            "HTTP/1.1 200 OK\r\nContent-Le",
            "HTTP/1.1 103 Early Hints\r\nLink: early\r\n\r\n",
            "not HTTP at all\r\n\r\n",
            "",
        ])
    func takesNoBrokenAnswer(bytes: String) async throws {
        let server = try LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(bytes)
        }
        #expect(await client.failure(of: OutboundRequest(url: server.url, body: [1])).isNotSent == false)
        #expect(server.requests == 1)
    }

    @Test(
        "S6: refuses an answer larger than the limit",
        arguments: [(headerLines: 0, body: 50_000), (1, 49_985), (10_000, 0)])
    func refusesAnAnswerLargerThanTheLimit(headerLines: Int, body: Int) async throws {
        let server = try LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.answer(
                headers: String(repeating: "X: y\r\n", count: headerLines), body: String(repeating: "x", count: body))
        }
        #expect(
            await client.failure(of: OutboundRequest(url: server.url, body: [1], answerLimit: 50_000))
                == .unknown(reason: "the answer is larger than 50000 bytes"))
    }

    // MARK: Ending early

    @Test func abandonsACancelledTransferAtOnce() async throws {
        let clientHasGone = Mutex(false)
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            if connection.readRequest() == nil { clientHasGone.withLock { $0 = true } }
        }
        let sending = Task {
            await client.failure(of: OutboundRequest(url: server.url, body: [1], timeout: .seconds(900)))
        }
        while server.requests == 0 { try await Task.sleep(for: .milliseconds(5)) }
        sending.cancel()
        #expect(await sending.value == .unknown(reason: "the task was cancelled"))
        while !clientHasGone.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test func sendsNothingForATaskThatIsAlreadyCancelled() async throws {
        let server = try LoopbackServer.echoing()
        let sending = Task {
            while !Task.isCancelled { await Task.yield() }
            return await client.failure(of: OutboundRequest(url: server.url, body: [1]))
        }
        sending.cancel()
        #expect(await sending.value == .notSent(reason: "the task was cancelled"))
        #expect(server.connections == 0)
    }

    @Test func losesNoCancellationWhateverItsMoment() async throws {
        let server = try LoopbackServer { connection in
            while connection.readRequest() != nil {}
        }
        await withTaskGroup { group in
            for delay in 0..<100 {
                group.addTask { [client] in
                    let sending = Task {
                        await client.failure(of: OutboundRequest(url: server.url, body: [1], timeout: .seconds(900)))
                    }
                    try? await Task.sleep(for: .microseconds(delay * 20))
                    sending.cancel()
                    #expect(await sending.value.reason == "the task was cancelled")
                }
            }
        }
    }

    @Test func endsWhatIsInFlightOnShutdown() async throws {
        let server = try LoopbackServer { connection in
            while connection.readRequest() != nil {}
        }
        let sending = (0..<10).map { _ in
            Task { await client.failure(of: OutboundRequest(url: server.url, body: [1], timeout: .seconds(900))) }
        }
        while server.requests < 10 { try await Task.sleep(for: .milliseconds(5)) }
        client.shutdown()
        for task in sending { #expect(await task.value == .unknown(reason: "the client was shut down")) }
        #expect(
            await client.failure(of: OutboundRequest(url: server.url, body: [1]))
                == .notSent(reason: "the client was shut down"))
        client.shutdown()
    }
}
