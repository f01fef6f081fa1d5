import FortAPI
import Synchronization

/// What FORT was like when it was asked last. It tells an operator where to look; it decides nothing.
final class FortAvailability: Sendable {
    enum State: String, Sendable {
        /// It was not asked yet, or not since it is back.
        case unknown
        /// It gave a verified answer.
        case up
        /// Something answered, and nothing proves that it was FORT.
        case unproven
        /// It could not be reached, or did not answer.
        case down
    }

    private let last = Mutex(State.unknown)

    var state: State { last.withLock { $0 } }

    /// What the guard before FORT found out.
    func learn(isReachable: Bool) {
        last.withLock { $0 = isReachable ? .unknown : .down }
    }

    func observe(_ exchange: FortExchange) {
        let state: State =
            switch exchange.result {
            case .success: .up
            case .failure(.unverified): .unproven
            case .failure(.outbound): .down
            }
        last.withLock { $0 = state }
    }
}
