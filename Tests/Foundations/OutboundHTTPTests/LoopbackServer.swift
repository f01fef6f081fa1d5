import Foundation
import Synchronization

/// A listener on a loopback port. A closure serves each connection on a separate thread.
final class LoopbackServer: Sendable {
    let port: UInt16
    private let socket: Int32
    private let seen = Seen()

    fileprivate final class Seen: Sendable {
        let connections = Atomic(0)
        let conversations = Atomic(0)
        let requests = Atomic(0)
    }

    var url: String { "http://127.0.0.1:\(port)/" }
    var connections: Int { seen.connections.load(ordering: .sequentiallyConsistent) }
    /// The number of connections on which a byte arrived.
    var conversations: Int { seen.conversations.load(ordering: .sequentiallyConsistent) }
    /// The number of requests that arrived completely.
    var requests: Int { seen.requests.load(ordering: .sequentiallyConsistent) }

    init(serve: @escaping @Sendable (Connection) -> Void) throws {
        (socket, port) = try Self.listen(backlog: 256)
        let (socket, seen) = (socket, seen)
        Thread.detachNewThread {
            while case let accepted = accept(socket, nil, nil), accepted >= 0 {
                seen.connections.add(1, ordering: .sequentiallyConsistent)
                let connection = Connection(accepted, seen)
                Thread.detachNewThread { serve(connection) }
            }
            close(socket)
        }
    }

    /// Returns a server that answers every request with 200 and the request's body, over connections that stay open.
    static func echoing() throws -> LoopbackServer {
        try LoopbackServer { connection in
            while let request = connection.readRequest() { connection.answer(body: request.body) }
        }
    }

    deinit { shutdown(socket, Int32(SHUT_RDWR)) }

    /// Opens a listening socket on a free port of 127.0.0.1.
    static func listen(backlog: Int32) throws -> (socket: Int32, port: UInt16) {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutableBytes(of: &address) { bytes in
            let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return bind(descriptor, address, length) == 0 && Glibc.listen(descriptor, backlog) == 0
                && getsockname(descriptor, address, &length) == 0
        }
        guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}

/// One accepted connection, which is closed when the last reference goes.
final class Connection: Sendable {
    struct Request: Sendable {
        let head: String
        let body: String
    }

    private let socket: Int32
    private let seen: LoopbackServer.Seen
    private let didSendResponseHead = Atomic(false)
    private let isOpen = Mutex(true)

    fileprivate init(_ socket: Int32, _ seen: LoopbackServer.Seen) {
        self.socket = socket
        self.seen = seen
        var patience = timeval(tv_sec: 600, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { end() }

    /// Reads the next request with its body. Returns `nil` if the client closed the connection.
    func readRequest() -> Request? {
        var received: [UInt8] = []
        var headEnd: Int?
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            if headEnd == nil, let range = Data(received).range(of: Data("\r\n\r\n".utf8)) {
                headEnd = range.upperBound
            }
            if let headEnd {
                let head = String(decoding: received[..<headEnd], as: UTF8.self)
                let length =
                    head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                    .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
                if received.count >= headEnd + length {
                    seen.requests.add(1, ordering: .sequentiallyConsistent)
                    return Request(head: head, body: String(decoding: received[headEnd...], as: UTF8.self))
                }
            }
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            if !didSendResponseHead.exchange(true, ordering: .sequentiallyConsistent) {
                seen.conversations.add(1, ordering: .sequentiallyConsistent)
            }
            received += buffer[..<count]
        }
    }

    func answer(status: Int = 200, headers: String = "", body: String = "") {
        write("HTTP/1.1 \(status) Words\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)")
    }

    func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Closes the connection properly.
    func end() {
        isOpen.withLock { isOpen in
            if isOpen { close(socket) }
            isOpen = false
        }
    }

    /// Closes the connection with a TCP reset.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        end()
    }
}
