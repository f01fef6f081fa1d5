/// The rate at which each client sends requests, for ``RateLimit``. Pure.
///
/// The rule is the generic cell rate algorithm (ITU-T I.371). For each client one moment is stored:
///
/// - The moment is the time at which the client's bucket will be full again.
/// - An accepted request moves it forward by one interval.
/// - A request that would move it further into the future than the burst allows is rejected, and does not move
///   it.
struct RequestRate<Client: Hashable & Sendable> {
    /// Clients are kept in two generations. When `recent` is full, it replaces `former`, whose clients are
    /// forgotten. That bounds the memory, and adding a client needs no search. A client is forgotten only if it
    /// sent no request while a whole generation of other clients came.
    private var recent: [Client: Duration] = [:]
    private var former: [Client: Duration] = [:]
    private var interval: Duration
    private let burst: Duration
    private let clientsMax: Int

    /// - Parameters:
    ///   - perSecond: the number of requests per second that a client may send, averaged over ten seconds.
    ///   - clientsMax: the number of clients in a generation.
    init(perSecond: Int, clientsMax: Int = 10_000) {
        interval = .seconds(1) / perSecond
        burst = .seconds(10)
        self.clientsMax = clientsMax
    }

    /// Changes the number of requests per second that a client may send. Requests that were already counted stay
    /// counted.
    mutating func change(perSecond: Int) { interval = .seconds(1) / perSecond }

    /// Counts a request of the client.
    ///
    /// - Parameter moment: the time on a monotonic clock.
    /// - Returns: `nil` if the request is within the rate; otherwise the time until the client's next request
    ///   will be. A rejected request is not counted.
    mutating func count(_ client: Client, at moment: Duration) -> Duration? {
        let full = max(recent[client] ?? former[client] ?? moment, moment) + interval
        let excess = full - moment - burst
        if recent[client] == nil, recent.count >= clientsMax { (former, recent) = (recent, [:]) }
        // A client whose requests are all rejected is kept as well: once forgotten, it would have a full bucket.
        recent[client] = excess <= .zero ? full : full - interval
        return excess <= .zero ? nil : excess
    }

    /// The number of clients that are stored at the moment.
    var clientCount: Int { recent.count + former.count }
}
