import FortAPI
import Synchronization

/// How FORT was when it was last asked, for operators. It decides nothing.
final class FortAvailability: Sendable {
    enum State: String, Sendable {
        /// It was not asked yet, or not since the circuit breaker closed.
        case unknown
        /// It gave a verified answer.
        case up
        /// The last answer was not verified.
        case unproven
        /// It could not be reached, or did not answer.
        case down
    }

    private let last = Mutex(State.unknown)

    var state: State { last.withLock { $0 } }

    func circuitBreakerChanged(isClosed: Bool) {
        last.withLock { $0 = isClosed ? .unknown : .down }
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
