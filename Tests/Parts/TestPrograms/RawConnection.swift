import Foundation

/// A TCP connection to loopback that sends arbitrary bytes, also those that no HTTP client sends.
public final class RawConnection: Sendable {
    private let descriptor: Int32

    /// - Parameter source: The loopback address from which the connection is made.
    public init(port: Int, from source: String = "127.0.0.1") throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 300, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let descriptor = descriptor
        var own = sockaddr_in.loopback(0)
        inet_pton(AF_INET, source, &own.sin_addr)
        if source != "127.0.0.1" { _ = own.withGenericAddress { bind(descriptor, $0, $1) } }
        let status = sockaddr_in.loopback(port).withGenericAddress { connect(descriptor, $0, $1) }
        // Every property is set here, so that `deinit` runs and closes the socket.
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ECONNREFUSED) }
    }

    deinit { close(descriptor) }

    public func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Half-closes the connection: nothing more is sent, and the answer can still be read.
    public func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Whether the peer has closed the connection. It does not wait, and everything that arrived before must have been read.
    public var isEnded: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN
    }

    /// Whether there is nothing to read. It does not wait.
    public var hasNothingToRead: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
    }

    /// Reads until the text ends with `end`, the peer closes, or five minutes pass without a byte.
    public func read(until end: String? = nil) -> String {
        var isReset = false
        return read(until: end, isReset: &isReset)
    }

    /// - Parameter isReset: Set if the peer reset the connection, which discards unread bytes.
    public func read(until end: String? = nil, isReset: inout Bool) -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            isReset = count < 0 && errno == ECONNRESET
            guard count > 0 else { break }
            bytes += piece.prefix(count)
            if let end, String(decoding: bytes, as: UTF8.self).hasSuffix(end) { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Calls `body` with a new connection on a separate thread, for a test whose server runs in the same process: blocking code
    /// must not hold a thread that the server's tasks need.
    public static func onThread<Value: Sendable>(
        port: Int, _ body: @escaping @Sendable (RawConnection) -> Value
    ) async throws -> Value {
        try await TestPrograms.onThread { body(try RawConnection(port: port)) }
    }
}
