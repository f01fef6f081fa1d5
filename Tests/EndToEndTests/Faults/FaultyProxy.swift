import Foundation
import Synchronization

/// A TCP proxy on loopback that does to each connection what its seed says, until it is told to behave.
final class FaultyProxy: Sendable {
    let port = FreePort.next()
    private let shared: Shared

    /// What the threads need; they outlive the proxy by a moment.
    private final class Shared: Sendable {
        let targetPort: Int
        let seed: UInt64
        let isFaulty = Atomic(true)
        let struck = Mutex<[ConnectionFault.Kind: Int]>([:])

        init(targetPort: Int, seed: UInt64) {
            self.targetPort = targetPort
            self.seed = seed
        }
    }

    private let listener: Int32

    /// Listens at ``port``.
    init(to targetPort: Int, seed: UInt64) throws {
        shared = Shared(targetPort: targetPort, seed: seed)
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let listener = listener
        let status = sockaddr_in.loopback(port).withGenericAddress { bind(listener, $0, $1) }
        guard status == 0, listen(listener, 128) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRINUSE)
        }
        Thread.detachNewThread { [shared] in Self.accept(at: listener, shared) }
    }

    deinit {
        // Wakes the thread that accepts; it closes the socket.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// From now on new connections and those that stand are left in peace.
    func behave() {
        shared.isFaulty.store(false, ordering: .relaxed)
    }

    /// How often each fault has struck.
    var struck: [ConnectionFault.Kind: Int] { shared.struck.withLock { $0 } }

    private static func accept(at listener: Int32, _ shared: Shared) {
        defer { close(listener) }
        for connection in 0... {
            let client = Foundation.accept(listener, nil, nil)
            guard client >= 0 else { return }
            let fault = ConnectionFault(seed: shared.seed, connection: connection)
            Thread.detachNewThread {
                let relayed = RelayedConnection(client: client, targetPort: shared.targetPort, fault: fault)
                relayed?.run(isFaulty: { shared.isFaulty.load(ordering: .relaxed) }) { kind in
                    shared.struck.withLock { $0[kind, default: 0] += 1 }
                }
            }
        }
    }
}
