import Foundation

/// A server on loopback that takes every connection and never says a word.
final class SilentServer: Sendable {
    let port = FreePort.next()
    private let listener: Int32

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let listener = listener
        let status = sockaddr_in.loopback(port).withGenericAddress { bind(listener, $0, $1) }
        // The system takes connections for it up to its backlog; nobody has to accept them.
        guard status == 0, listen(listener, 128) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRINUSE)
        }
    }

    deinit { close(listener) }
}
