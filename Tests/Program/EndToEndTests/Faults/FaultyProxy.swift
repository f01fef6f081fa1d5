import Foundation
import Synchronization
import TestPrograms

/// A TCP proxy on loopback that injects into each connection the fault of its seed, until `behave\(\)`.
final class FaultyProxy: Sendable {
    private let shared: Shared
    private let socket: LoopbackSocket

    var port: Int { socket.port }

    /// The state that the proxy shares with its threads, which outlive it briefly.
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

    /// Makes a proxy that listens at ``port``.
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

    /// The number of times that each fault has struck.
    var struck: [ConnectionFault.Kind: Int] { shared.struck.withLock { $0 } }
}
