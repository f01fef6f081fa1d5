/// The delay before the next attempt. It doubles with each attempt and has jitter, so that clients that lost the
/// same relay do not return at the same time. It is never less than the relay asks for. Set
/// ``RelayClient/Settings/retryDelay`` to change it.
public struct RetryDelay: Sendable {
    /// The delay after the first failure, in seconds.
    public var first: Double
    /// The maximum delay, in seconds.
    public var longest: Double

    /// Both values are in seconds.
    public init(first: Double = 0.25, longest: Double = 4) {
        self.first = first
        self.longest = longest
    }

    /// Returns the delay before the next attempt, in seconds.
    ///
    /// - Parameters:
    ///   - attempt: the number of the failed attempt, counted from 0.
    ///   - retryAfter: the time that the relay asked to wait, in seconds.
    ///   - random: a random number from 0 to 1.
    func seconds(after attempt: Int, retryAfter: Double?, random: Double) -> Double {
        let backoff = min(longest, first * Double(1 << min(attempt, 16))) * (0.5 + random / 2)
        // A `Retry-After` of 0 must not make the client retry faster.
        return max(retryAfter ?? 0, backoff)
    }
}
