import Foundation
import TestPrograms
import Testing

@testable import PayrelayClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The transport against servers that answer as no relay does.
@Suite struct TransportTests {
    private func request(_ port: Int, _ seconds: Double) -> TransportRequest {
        TransportRequest(
            method: "POST", url: "http://127.0.0.1:\(port)/v1/payments",
            headers: [("Authorization", "Bearer secret"), ("Content-Type", "application/json")],
            body: Array("{}".utf8), timeout: seconds)
    }

    @Test("A whole answer is read: status, Retry-After and body")
    func readsAWholeAnswer() async throws {
        let server = try Answering("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 2\r\n\r\n{}")
        let response = try await URLSessionTransport().send(request(server.port, 300))
        #expect(response.status == 503 && response.retryAfter == 7 && response.body == Array("{}".utf8))
        let sent = server.received
        #expect(sent.contains("POST /v1/payments HTTP/1.1\r\n") && sent.contains("Authorization: Bearer secret\r\n"))
        #expect(sent.hasSuffix("\r\n\r\n{}"))
    }

    @Test("An answer is whole once its length has come, byte by byte and over a connection that stays open")
    func isWholeOnceItsLengthHasCome() async throws {
        let server = try Answering("HTTP/1.1 200 OK\r\nContent-Length: 2 \r\n\r\n{}", isSlow: true)
        #expect(try await URLSessionTransport().send(request(server.port, 300)).body == Array("{}".utf8))
    }

    @Test(
        "An incomplete answer does not count as an answer, and the request may have arrived",
        arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{}"])
    func aBrokenAnswerIsNone(text: String) async throws {
        let server = try Answering(text)
        do throws(TransportFailure) {
            let answer = try await URLSessionTransport().send(request(server.port, 300))
            #expect(Bool(false), "\(answer)")
        } catch {
            guard case .lost = error else { return #expect(Bool(false), "\(error)") }
        }
    }

    @Test("One session carries all attempts over one connection, and after a lost answer there is another")
    func oneSession() async throws {
        let server = try KeptConnections()
        let transport = URLSessionTransport()
        let copy = transport
        for _ in 0..<3 { #expect(try await transport.send(request(server.port, 300)).status == 200) }
        #expect(try await copy.send(request(server.port, 300)).status == 200)
        #expect(server.connections == 1)
        server.breakTheNext()
        await #expect(throws: TransportFailure.self) { try await transport.send(request(server.port, 5)) }
        #expect(try await copy.send(request(server.port, 300)).status == 200)
        #expect(server.connections > 1)
    }

    @Test("Attempts at the same time have each their own answer")
    func atTheSameTime() async throws {
        let server = try KeptConnections()
        let transport = URLSessionTransport()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                let request = TransportRequest(
                    method: "POST", url: "http://127.0.0.1:\(server.port)/v1/payments", headers: [],
                    body: Array("\(number)".utf8), timeout: 300)
                group.addTask {
                    let answer = try await transport.send(request)
                    #expect(answer.body == Array("\(number)".utf8))
                }
            }
            try await group.waitForAll()
        }
    }

    /// Each lost answer makes the transport give up the session that the other requests are about to use.
    @Test(
        "While answers are lost, further attempts begin, and none on a session that was given up",
        .timeLimit(.minutes(25)))
    func beginsWhileAnswersAreLost() async throws {
        let silent = try LoopbackSocket.silentServer()
        let transport = URLSessionTransport()
        let request = request(silent.port, 0.001)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<250 {
                        await #expect(throws: TransportFailure.lost("no answer in time")) {
                            try await transport.send(request)
                        }
                    }
                }
            }
        }
    }

    @Test("An attempt whose time is over before it begins ends")
    func endsBeforeItBegins() async throws {
        let dead = try LoopbackSocket()
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let url = try #require(URL(string: "http://127.0.0.1:\(dead.port)/"))
        let exchange = SessionExchange(session.dataTask(with: url), limit: 1)
        exchange.stop(.lost("no time"))
        await #expect(throws: TransportFailure.lost("no time")) { try await exchange.run(seconds: 5).get() }
    }

    @Test("An answer of more than a mebibyte is not read to its end")
    func aLongAnswerIsNotRead() async throws {
        let server = try Answering(
            "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 3_000_000))
        await #expect(throws: TransportFailure.self) {
            try await URLSessionTransport().send(request(server.port, 30))
        }
    }

    @Test("A redirect is not followed: the order token goes to the relay alone")
    func aRedirectIsNotFollowed() async throws {
        let elsewhere = try Answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let server = try Answering(
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:\(elsewhere.port)/\r\n"
                + "Content-Length: 0\r\n\r\n")
        #expect(try await URLSessionTransport().send(request(server.port, 300)).status == 307)
        #expect(elsewhere.received.isEmpty)
    }

    @Test("If nothing listens, nothing was sent")
    func whereNothingListens() async throws {
        let dead = try LoopbackSocket()
        await #expect(throws: TransportFailure.notSent("URLError -1004")) {
            try await URLSessionTransport().send(request(dead.port, 300))
        }
    }

    @Test("If TLS fails, nothing was sent only if no byte of the body was")
    func whereTLSFailed() {
        let error = URLError(.secureConnectionFailed)
        #expect(TransportFailure(error, bytesSent: 0) == .notSent("URLError -1200"))
        #expect(TransportFailure(error, bytesSent: 1) == .lost("URLError -1200"))
    }

    @Test("A server that never answers is given up, by the time limit or by cancelling")
    func aSilentServerIsGivenUp() async throws {
        let silent = try LoopbackSocket.silentServer()
        await #expect(throws: TransportFailure.self) {
            try await URLSessionTransport().send(request(silent.port, 0.05))
        }
        let patient = request(silent.port, 600)
        let waiting = Task { try await URLSessionTransport().send(patient) }
        waiting.cancel()
        await #expect(throws: TransportFailure.self) { try await waiting.value }
    }
}

/// A server that answers each connection with the same bytes and closes it.
private final class Answering: Sendable {
    private let socket: LoopbackSocket
    private let log = RequestLog()

    var port: Int { socket.port }
    var received: String { log.text }

    private final class RequestLog: @unchecked Sendable {
        // Changed under the lock.
        private let lock = NSLock()
        private var bytes: [UInt8] = []

        var text: String { lock.withLock { String(decoding: bytes, as: UTF8.self) } }

        func append(_ piece: ArraySlice<UInt8>) { lock.withLock { bytes += piece } }
    }

    /// - Parameter isSlow: Whether the server sends byte by byte and leaves it to the client to close the connection.
    init(_ answer: String, isSlow: Bool = false) throws {
        socket = try LoopbackSocket()
        try socket.accept { [log] _, connection in
            var piece = [UInt8](repeating: 0, count: 4_096)
            // Read the whole request: a socket that is closed with unread bytes is reset.
            repeat {
                let count = recv(connection, &piece, piece.count, 0)
                guard count > 0 else { break }
                log.append(piece[..<count])
            } while !log.text.hasSuffix("\r\n\r\n{}")
            let bytes = Array(answer.utf8)
            for start in stride(from: 0, to: bytes.count, by: isSlow ? 1 : max(1, bytes.count)) {
                let rest = bytes[start...].prefix(isSlow ? 1 : bytes.count)
                _ = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            }
            if isSlow { _ = recv(connection, &piece, piece.count, 0) }
            close(connection)
        }
    }
}

/// A server that answers each request with the request's body, over connections that stay open.
private final class KeptConnections: Sendable {
    private let socket: LoopbackSocket
    private let state = State()

    private final class State: @unchecked Sendable {
        // Changed under the lock.
        let lock = NSLock()
        var count = 0
        var isBreaking = false
    }

    var port: Int { socket.port }
    var connections: Int { state.lock.withLock { state.count } }

    init() throws {
        socket = try LoopbackSocket()
        try socket.accept { [state] _, connection in
            state.lock.withLock { state.count += 1 }
            while let body = Self.body(of: connection), state.lock.withLock({ !state.isBreaking }) {
                let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
                _ = answer.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            }
            state.lock.withLock { state.isBreaking = false }
            close(connection)
        }
    }

    /// Makes the server break the connection of the next request instead of answering.
    func breakTheNext() { state.lock.withLock { state.isBreaking = true } }

    /// Returns the body of the connection's next request, or `nil` if the client closed the connection.
    private static func body(of connection: Int32) -> String? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n"),
                let length = text.firstMatch(of: /(?i)content-length: *([0-9]+)/).flatMap({ Int($0.output.1) }),
                text[end.upperBound...].utf8.count >= length
            {
                return String(text[end.upperBound...])
            }
            let count = recv(connection, &piece, piece.count, 0)
            guard count > 0 else { return nil }
            bytes += piece[..<count]
        }
    }
}
