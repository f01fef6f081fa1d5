import Foundation
import Synchronization
import TestPrograms

/// A TCP proxy on loopback that injects into each connection the fault of its seed, until `behave\(\)`.
final class FaultyProxy: Sendable {
    private let shared: Shared
    private let socket: LoopbackSocket

    var port: Int { socket.port }

    /// Shared with the threads, which outlive the proxy briefly.
    private final class Shared: Sendable {
        let targetPort: Int
        let seed: UInt64
        let kinds: [ConnectionFault.Kind]
        let isFaulty = Atomic(true)
        let struck = Mutex<[ConnectionFault.Kind: Int]>([:])

        init(targetPort: Int, seed: UInt64, kinds: [ConnectionFault.Kind]) {
            self.targetPort = targetPort
            self.seed = seed
            self.kinds = kinds
        }
    }

    /// Listens at ``port``.
    init(
        to targetPort: Int, seed: UInt64, kinds: [ConnectionFault.Kind] = ConnectionFault.Kind.allCases
    ) throws {
        shared = Shared(targetPort: targetPort, seed: seed, kinds: kinds)
        socket = try LoopbackSocket()
        try socket.accept { [shared] number, client in
            let fault = ConnectionFault(seed: shared.seed, connection: number, kinds: shared.kinds)
            let relayed = RelayedConnection(client: client, targetPort: shared.targetPort, fault: fault)
            relayed?.run(isFaulty: { shared.isFaulty.load(ordering: .relaxed) }) { kind in
                shared.struck.withLock { $0[kind, default: 0] += 1 }
            }
        }
    }

    /// Ends the faults of new and open connections.
    func behave() {
        shared.isFaulty.store(false, ordering: .relaxed)
    }

    /// How often each fault has struck.
    var struck: [ConnectionFault.Kind: Int] { shared.struck.withLock { $0 } }
}
