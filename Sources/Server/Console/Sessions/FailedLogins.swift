import HTTPListener
import Synchronization

/// How often logins from a network may fail: ten times at once, and then once a second.
///
/// A key has 32 random bytes and is not guessed, however fast. The limit keeps somebody who tries from filling the log. It does not keep out
/// who has a key: behind a proxy all operators have one address.
final class FailedLogins: Sendable {
    private let rate = Mutex(RequestRate<PeerNetwork>(perSecond: 1))
    private let now: @Sendable () -> ContinuousClock.Instant
    private let begin: ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.now = now
        begin = now()
    }

    /// Counts a failure.
    ///
    /// - Returns: `nil` if it is within the limit, otherwise the seconds until the next would be.
    func count(from address: String?) -> Int? {
        let peer = PeerNetwork(address: address ?? "")
        let wait = rate.withLock { $0.count(peer, at: begin.duration(to: now())) }
        return wait.map { max(1, Int($0.components.seconds) + 1) }
    }
}
