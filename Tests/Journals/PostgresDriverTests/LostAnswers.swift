import Foundation
import Synchronization
import TestPrograms

/// A proxy before a PostgreSQL server. It can lose the answer to a write: the server has committed, and the connection ends.
///
/// It reads the server's messages as the protocol frames them (PostgreSQL's manual, 55.7): a byte for the kind, and a length of
/// four bytes. The server says that it is ready (`Z`) after it has committed.
final class LostAnswers: Sendable {
    /// The URL for connections through the proxy.
    let url: String
    private let socket: LoopbackSocket
    private let state = Mutex((isArmed: false, lost: 0))

    /// - Parameter url: The URL, with a query, of a server on loopback without TLS.
    init(before url: String) throws {
        let socket = try LoopbackSocket()
        guard var parts = URLComponents(string: url), let server = parts.port else { throw POSIXError(.EINVAL) }
        parts.port = socket.port
        self.socket = socket
        self.url = (parts.string ?? url) + "&sslmode=disable&gssencmode=disable"
        try socket.accept { [weak self] _, client in
            guard let self else {
                close(client)
                return
            }
            serve(client, server: server)
        }
    }

    /// Makes the proxy lose the next answer to a write of at least one row, on any connection.
    func loseNextAnswer() { state.withLock { $0.isArmed = true } }

    /// The number of lost answers.
    var lost: Int { state.withLock { $0.lost } }

    private func serve(_ client: Int32, server port: Int) {
        let server = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let isConnected = sockaddr_in.loopback(port).withGenericAddress { connect(server, $0, $1) } == 0
        let requests = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while isConnected, let bytes = Self.receive(from: client), Self.send(bytes, to: server) {}
            shutdown(server, Int32(SHUT_RDWR))
            requests.signal()
        }
        if isConnected { passAnswers(from: server, to: client) }
        shutdown(client, Int32(SHUT_RDWR))
        shutdown(server, Int32(SHUT_RDWR))
        requests.wait()
        close(client)
        close(server)
    }

    /// Forwards the server's messages each time that the server is ready, until an answer is lost or one side ends the
    /// connection.
    private func passAnswers(from server: Int32, to client: Int32) {
        var held: [UInt8] = []
        var (next, hasWritten) = (0, false)
        while let bytes = Self.receive(from: server) {
            held += bytes
            while held.count >= next + 5 {
                let length = held[next + 1..<next + 5].reduce(0) { $0 << 8 | Int($1) }
                guard held.count > next + length else { break }
                let content = String(decoding: held[next + 5..<next + 1 + length], as: UTF8.self)
                switch held[next] {
                // CommandComplete: the command and the number of rows it wrote, as in `INSERT 0 1`, and NUL.
                case UInt8(ascii: "C"):
                    let words = content.dropLast().split(separator: " ")
                    hasWritten =
                        hasWritten || ["INSERT", "UPDATE", "DELETE"].contains(words.first) && words.last != "0"
                case UInt8(ascii: "Z"):
                    if hasWritten, losesThis() { return }
                    hasWritten = false
                default: break
                }
                let isReady = held[next] == UInt8(ascii: "Z")
                next += 1 + length
                if isReady {
                    guard Self.send(Array(held[..<next]), to: client) else { return }
                    held.removeFirst(next)
                    next = 0
                }
            }
        }
        // The remaining messages are an error that ends the session.
        _ = Self.send(held, to: client)
    }

    private func losesThis() -> Bool {
        state.withLock { state in
            defer { state.isArmed = false }
            if state.isArmed { state.lost += 1 }
            return state.isArmed
        }
    }

    private static func receive(from descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    private static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
