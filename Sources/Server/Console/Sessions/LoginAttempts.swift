import HTTPListener
import Synchronization

/// How often a network may try to log in: ten times at once, and then once a second.
///
/// A key has 32 random bytes and is not guessed. The limit keeps somebody who tries from filling the log.
final class LoginAttempts: Sendable {
    private let rate = Mutex(RequestRate<PeerNetwork>(perSecond: 1))
    private let now: @Sendable () -> ContinuousClock.Instant
    private let begin: ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.now = now
        begin = now()
    }

    /// Counts an attempt.
    ///
    /// - Returns: nil where it may go on, otherwise the seconds until the next may.
    func count(from address: String?) -> Int? {
        let peer = PeerNetwork(address: address ?? "")
        let wait = rate.withLock { $0.count(peer, at: begin.duration(to: now())) }
        return wait.map { max(1, Int($0.components.seconds) + 1) }
    }
}
