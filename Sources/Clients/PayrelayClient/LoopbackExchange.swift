#if canImport(FoundationNetworking)
import Foundation
import PayrelayPrimitives

/// One exchange over plain HTTP/1.1 with a relay on this machine, on Linux: there FoundationNetworking ends the process where a
/// connection breaks inside an answer's header, which over plain HTTP is what a broken connection looks like. Over TLS it is an error.
///
/// `@unchecked Sendable`: what changes is changed under the lock.
final class LoopbackExchange: @unchecked Sendable {
    private typealias Outcome = Result<TransportResponse, TransportFailure>

    private let request: TransportRequest
    private let host: String
    private let port: Int
    private let target: String
    private let limit: Int
    private let lock = NSLock()
    /// Open while the thread uses it.
    private var socket: Int32?
    private var isCancelled = false

    /// Nil where the URL is not plain HTTP.
    ///
    /// - Parameter limit: of the answer, in bytes.
    init?(_ request: TransportRequest, to url: URL, limit: Int) {
        guard url.scheme?.lowercasedASCII == "http", let host = url.host else { return nil }
        self.request = request
        self.host = host.between("[", "]").map(String.init) ?? host
        port = url.port ?? 80
        target = url.path
        self.limit = limit
    }

    func run() async throws(TransportFailure) -> TransportResponse {
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: self.outcome()) }
            }
        } onCancel: {
            lock.withLock {
                isCancelled = true
                // The thread sees the end of the stream; it closes the socket itself.
                if let socket { shutdown(socket, Int32(SHUT_RDWR)) }
            }
        }
        return try outcome.get()
    }

    /// Blocks.
    private func outcome() -> Outcome {
        let deadline = SystemClock().now + request.timeout
        guard let socket = connected() else { return .failure(.notSent("no connection")) }
        let isCancelled = lock.withLock {
            self.socket = socket
            return self.isCancelled
        }
        defer {
            lock.withLock { self.socket = nil }
            close(socket)
        }
        guard !isCancelled else { return .failure(.notSent("cancelled")) }
        guard send(on: socket) else { return .failure(.lost("the request was not taken")) }
        guard let answer = receive(on: socket, until: deadline) else { return .failure(.lost("no answer in time")) }
        guard let response = HTTPAnswer(answer) else { return .failure(.lost("no whole HTTP answer")) }
        return .success(response.response)
    }

    /// A connection to the first address that takes one.
    private func connected() -> Int32? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0 else { return nil }
        defer { freeaddrinfo(found) }
        for address in sequence(first: found, next: { $0?.pointee.ai_next }).prefix(while: { $0 != nil }) {
            guard let address = address?.pointee else { break }
            let socket = Foundation.socket(address.ai_family, address.ai_socktype, address.ai_protocol)
            guard socket >= 0 else { continue }
            Self.setTimeout(SO_SNDTIMEO, of: socket, seconds: request.timeout)
            if connect(socket, address.ai_addr, address.ai_addrlen) == 0 { return socket }
            close(socket)
        }
        return nil
    }

    /// How long a single call may block.
    private static func setTimeout(_ option: Int32, of socket: Int32, seconds: Double) {
        // Zero would mean for ever.
        let seconds = max(0.01, seconds)
        var time = timeval(tv_sec: Int(seconds), tv_usec: Int((seconds - seconds.rounded(.down)) * 1e6))
        setsockopt(socket, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    private func send(on socket: Int32) -> Bool {
        let host = host.has(":") ? "[\(host)]" : host
        var head = "\(request.method) \(target) HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n"
        for (name, value) in request.headers { head += "\(name): \(value)\r\n" }
        if let body = request.body { head += "Content-Length: \(body.count)\r\n" }
        var rest = Array((head + "\r\n").utf8) + (request.body ?? [])
        while !rest.isEmpty {
            let count = Foundation.send(socket, rest, rest.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else { return false }
            rest.removeFirst(count)
        }
        return true
    }

    /// Reads the answer to its end or the stream's; nil after an error, after the deadline or beyond the limit.
    private func receive(on socket: Int32, until deadline: Double) -> [UInt8]? {
        var answer = HTTPAnswerReader()
        var piece = [UInt8](repeating: 0, count: 16_384)
        while answer.bytes.count <= limit {
            if answer.isWhole { return answer.bytes }
            let left = deadline - SystemClock().now
            guard left > 0 else { return nil }
            Self.setTimeout(SO_RCVTIMEO, of: socket, seconds: left)
            let count = recv(socket, &piece, piece.count, 0)
            guard count > 0 else { return count == 0 ? answer.bytes : nil }
            answer.append(piece[..<count])
        }
        return nil
    }
}
#endif
