import Foundation
import TestPrograms
import Testing

@testable import PayrelayClient

/// What carries requests, against servers that answer as no relay does.
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
        let response = try await URLSessionTransport().send(request(server.port, 5))
        #expect(response.status == 503 && response.retryAfter == 7 && response.body == Array("{}".utf8))
        let sent = server.received
        #expect(sent.contains("POST /v1/payments HTTP/1.1\r\n") && sent.contains("Authorization: Bearer secret\r\n"))
        #expect(sent.hasSuffix("\r\n\r\n{}"))
    }

    @Test("An answer is whole once its length has come, byte by byte and over a connection that stays open")
    func isWholeOnceItsLengthHasCome() async throws {
        let server = try Answering("HTTP/1.1 200 OK\r\nContent-Length: 2 \r\n\r\n{}", isSlow: true)
        #expect(try await URLSessionTransport().send(request(server.port, 60)).body == Array("{}".utf8))
    }

    @Test(
        "An answer that is broken off or forged is no answer, and the request may have arrived",
        arguments: [
            "", "HTTP/1.1", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{}", "HTTP/1.1 20 OK\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}", "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n{}", "HTTP/1.1 +20 OK\r\n\r\n{}",
            "SSH-2.0-x\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 1\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\n",
        ])
    func aBrokenAnswerIsNone(text: String) async throws {
        let server = try Answering(text)
        await #expect(throws: TransportFailure.lost("no whole HTTP answer"), "\(text)") {
            try await URLSessionTransport().send(request(server.port, 5))
        }
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
        #expect(try await URLSessionTransport().send(request(server.port, 5)).status == 307)
        #expect(elsewhere.received.isEmpty)
    }

    @Test("Where nothing listens, nothing was sent")
    func whereNothingListens() async throws {
        let dead = try LoopbackSocket()
        await #expect(throws: TransportFailure.notSent("no connection")) {
            try await URLSessionTransport().send(request(dead.port, 5))
        }
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

    @Test("However an answer is cut into pieces, it is whole with its last byte and not before")
    func isWholeWithItsLastByte() {
        let whole = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8)
        for size in 1...whole.count {
            var reader = HTTPAnswerReader()
            for start in stride(from: 0, to: whole.count, by: size) {
                #expect(!reader.isWhole, "pieces of \(size), at \(start)")
                reader.append(whole[start...].prefix(size))
            }
            #expect(reader.isWhole && reader.bytes == whole, "pieces of \(size)")
        }
    }

    @Test("No byte of an answer can make its reader trap")
    func noByteMakesItTrap() {
        var generator = SeededGenerator(seed: 1)
        let whole = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nRetry-After: 1\r\n\r\n{}".utf8)
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
                }
            }
            _ = HTTPAnswer(bytes)
        }
    }
}

/// Answers each connection with the same bytes and closes it.
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

    /// - Parameter isSlow: sends byte by byte, and leaves it to the client to close.
    init(_ answer: String, isSlow: Bool = false) throws {
        socket = try LoopbackSocket()
        try socket.accept { [log] _, connection in
            var piece = [UInt8](repeating: 0, count: 4_096)
            // The whole request: a socket that is closed with bytes unread is reset.
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
