import AccessControl
import HTTPListener
import PayrelayPrimitives

/// A rate limit that rejects clients before their bodies are read. The gateway's messages are exempt: they come
/// from few addresses, and a forged message costs no more than the verification of a signature.
struct ClientRateLimit: Sendable {
    let limit: RateLimit<RequestSender>
    /// The paths, as the routes name them, that are not counted.
    let exempt: Set<String>

    /// Counts a request.
    ///
    /// - Parameter path: the route's path, if any.
    /// - Throws: ``Problem`` 429 if the sender is over the limit.
    func count(
        _ sender: Result<AuthenticatedSender, AuthenticationError>, _ clientAddress: String?, path: String?
    ) throws(Problem) {
        if let counted = counted(sender, clientAddress, path: path), let wait = limit.count(counted) {
            throw Problem.tooManyRequests(retryAfterSeconds: wait)
        }
    }

    /// Returns the sender that the request counts for; `nil` if it is not counted. A client that is not
    /// authenticated is counted by its address, and does not use up the limit of authenticated clients at the
    /// same address.
    func counted(
        _ sender: Result<AuthenticatedSender, AuthenticationError>, _ clientAddress: String?, path: String?
    ) -> RequestSender? {
        if let path, exempt.contains(path) { return nil }
        if case .success(.client(let client)) = sender { return RequestSender(client) }
        return clientAddress.map { .peer(PeerNetwork(address: $0)) }
    }
}
