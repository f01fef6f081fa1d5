public import Foundation

/// A TCP socket that is bound to 127.0.0.1 at a port that the system chose.
///
/// While it is bound and does not listen, its port is dead: connections to it are refused, and the system gives it to no
/// other socket. Of two sockets with SO_REUSEADDR, one may listen at a port to which both are bound (socket(7)), so that a
/// program of the test can be started at a port that was dead until then, and nothing can take the port in between.
public final class LoopbackSocket: Sendable {
    public let port: Int
    private let descriptor: Int32

    public init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var bound = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = sockaddr_in.loopback(0).withGenericAddress { bind(descriptor, $0, $1) }
        let named = withUnsafeMutablePointer(to: &bound) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        self.descriptor = descriptor
        self.port = Int(in_port_t(bigEndian: bound.sin_port))
        // Every property is set here, so that `deinit` runs and closes the socket.
        guard status == 0, named == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRINUSE) }
    }

    /// Returns a server that accepts every connection and never answers.
    public static func silentServer() throws -> LoopbackSocket {
        let socket = try LoopbackSocket()
        try socket.listen()
        return socket
    }

    /// Resets the connections that nothing has accepted. The port stays bound, and is dead.
    public func stopListening() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    deinit {
        // This ends the thread that accepts, which has a separate descriptor.
        stopListening()
        close(descriptor)
    }

    /// Lets clients connect. The system completes the handshake of 128 of them, even if nothing accepts.
    public func listen() throws {
        guard Foundation.listen(descriptor, 128) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRINUSE)
        }
    }

    /// Listens, and serves each connection on a separate thread until the socket is released.
    ///
    /// - Parameter serve: Serves a connection. It gets the connection's number, from 0, and its descriptor, which it must
    ///   close.
    public func accept(_ serve: @escaping @Sendable (_ number: Int, _ connection: Int32) -> Void) throws {
        try listen()
        let listener = dup(descriptor)
        Thread.detachNewThread {
            defer { close(listener) }
            for number in 0... {
                let connection = Foundation.accept(listener, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread { serve(number, connection) }
            }
        }
    }
}

extension sockaddr_in {
    /// Returns the address of 127.0.0.1 and a port.
    public static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// Passes the address to `bind` or `connect`.
    public func withGenericAddress(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: self) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
