import AccessControl
import HTTPListener
import PaymentRelay
import PayrelayPrimitives
import Synchronization

/// Refuses clients over their rate limit, before their bodies are read. Messages of the processor are not counted: they
/// come from few addresses, and a forged one costs no more than a signature.
final class ClientRateLimit: Sendable {
    private let rate: Mutex<RequestRate<RequestSender>>
    private let perSecond: Int
    private let exempt: Set<String>
    private let start = ContinuousClock.now

    /// - Parameter exempt: paths that are not counted, as the router describes them.
    init(perSecond: Int, exempt: Set<String>) {
        rate = Mutex(RequestRate(perSecond: perSecond))
        self.perSecond = perSecond
        self.exempt = exempt
    }

    /// Takes its part of the limit, from now on.
    func divide(among instances: Int) {
        rate.withLock { $0.change(perSecond: max(1, perSecond / max(1, instances))) }
    }

    /// Counts a request.
    ///
    /// - Parameter path: the route's, if any.
    /// - Throws: ``Problem`` 429 if its sender is over the limit.
    func count(
        _ sender: Result<AuthenticatedSender, AuthenticationError>, _ clientAddress: String?, path: String?
    ) throws(Problem) {
        let now = start.duration(to: .now)
        if let sender = counted(sender, clientAddress, path: path),
            let wait = rate.withLock({ $0.count(sender, at: now) })
        {
            throw Problem.tooManyRequests(retryAfterSeconds: Int((wait.milliseconds / 1_000).rounded(.up)))
        }
    }

    /// Returns the sender that the request counts for; nil if it is not counted. A client that has not authenticated is
    /// counted by its address. It uses up nothing of the clients at the same address that have.
    func counted(
        _ sender: Result<AuthenticatedSender, AuthenticationError>, _ clientAddress: String?, path: String?
    ) -> RequestSender? {
        if let path, exempt.contains(path) { return nil }
        if case .success(.client(let client)) = sender { return RequestSender(client) }
        return clientAddress.map { .peer(PeerNetwork(address: $0)) }
    }
}
