import AccessControl
import HTTPListener
import PayrelayPrimitives

/// Refuses clients over their rate limit, before their bodies are read. Messages of the gateway are not counted: they
/// come from few addresses, and a forged one costs no more than a signature.
struct ClientRateLimit: Sendable {
    let limit: RateLimit<RequestSender>
    /// Paths that are not counted, as the routes name them.
    let exempt: Set<String>

    /// Counts a request.
    ///
    /// - Parameter path: the route's, if any.
    /// - Throws: ``Problem`` 429 if its sender is over the limit.
    func count(
        _ sender: Result<AuthenticatedSender, AuthenticationError>, _ clientAddress: String?, path: String?
    ) throws(Problem) {
        if let counted = counted(sender, clientAddress, path: path), let wait = limit.count(counted) {
            throw Problem.tooManyRequests(retryAfterSeconds: wait)
        }
    }

    /// Returns the sender that the request counts for; `nil` if it is not counted. A client that has not authenticated is
    /// counted by its address. It uses up nothing of the clients at the same address that have.
    func counted(
        _ sender: Result<AuthenticatedSender, AuthenticationError>, _ clientAddress: String?, path: String?
    ) -> RequestSender? {
        if let path, exempt.contains(path) { return nil }
        if case .success(.client(let client)) = sender { return RequestSender(client) }
        return clientAddress.map { .peer(PeerNetwork(address: $0)) }
    }
}
