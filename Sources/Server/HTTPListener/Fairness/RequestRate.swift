/// How fast each client sends, for ``RateLimit``. Pure.
///
/// A client's bucket is kept as the moment at which it would be full again (the generic cell rate algorithm): a request moves
/// it on by one interval, and one that would move it further than the burst from now is refused.
struct RequestRate<Client: Hashable & Sendable> {
    /// Clients are forgotten by generations: memory is bounded, and a new one costs no search. Who is forgotten had sent
    /// nothing while as many others came as are kept.
    private var recent: [Client: Duration] = [:]
    private var former: [Client: Duration] = [:]
    private var interval: Duration
    private let burst: Duration
    private let clientsMax: Int

    /// - Parameters:
    ///   - perSecond: how many requests a client may send, on the average of ten seconds.
    ///   - clientsMax: how many clients a generation has.
    init(perSecond: Int, clientsMax: Int = 10_000) {
        interval = .seconds(1) / perSecond
        burst = .seconds(10)
        self.clientsMax = clientsMax
    }

    /// Changes how many requests a client may send; what it has sent counts as it did.
    mutating func change(perSecond: Int) { interval = .seconds(1) / perSecond }

    /// Counts a request of the client.
    ///
    /// - Parameter moment: on a clock that never goes back.
    /// - Returns: nil where it is within the rate, otherwise the time until the next one is. A refused request does not count.
    mutating func count(_ client: Client, at moment: Duration) -> Duration? {
        let full = max(recent[client] ?? former[client] ?? moment, moment) + interval
        let excess = full - moment - burst
        guard excess <= .zero else { return excess }
        if recent[client] == nil, recent.count >= clientsMax { (former, recent) = (recent, [:]) }
        recent[client] = full
        return nil
    }

    /// How many clients are kept at the moment.
    var clientCount: Int { recent.count + former.count }
}
