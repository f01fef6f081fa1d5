/// How much of FORT is asked for at once, and when it is taken for down.
public struct FortLimits: Sendable, Equatable {
    /// How many requests may be on the way to FORT at once. As many more may wait for a place.
    public var requestsInFlight: Int
    /// How long one waits for a place; then it is not sent.
    public var patience: Duration
    /// After how many requests in a row without an answer FORT is taken for down.
    public var failures: Int

    public init(requestsInFlight: Int = 128, patience: Duration = .milliseconds(500), failures: Int = 5) {
        self.requestsInFlight = requestsInFlight
        self.patience = patience
        self.failures = failures
    }
}
