/// How long to wait before the next attempt: twice as long as before, with jitter, so that clients which lost one relay do not
/// come back all at once; and no less than the relay asks for. ``RelayClient/Settings/retryDelay`` takes another.
public struct RetryDelay: Sendable {
    /// In seconds.
    public var first: Double
    /// In seconds.
    public var longest: Double

    /// Both in seconds.
    public init(first: Double = 0.25, longest: Double = 4) {
        self.first = first
        self.longest = longest
    }

    /// - Parameters:
    ///   - attempt: 0 for the first that failed.
    ///   - retryAfter: what the relay asked for, in seconds.
    ///   - random: 0 to 1.
    func seconds(after attempt: Int, retryAfter: Double?, random: Double) -> Double {
        let backoff = min(longest, first * Double(1 << min(attempt, 16))) * (0.5 + random / 2)
        // An answer that asks for no wait does not make the client hurry.
        return max(retryAfter ?? 0, backoff)
    }
}
