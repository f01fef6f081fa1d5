import HTTPListener
import Hummingbird
import PaymentRelay
import Primitives
import Synchronization

/// Refuses clients that send too fast, before their bodies are read. Messages of the processor are not counted: they come from few
/// addresses, and a forged one costs no more than a signature.
final class ClientRateLimit: RouterMiddleware {
    private let rate: Mutex<RequestRate<RequestSender>>
    private let exempt: Set<String>
    private let start = ContinuousClock.now

    /// - Parameter exempt: paths that are not counted, as the router describes them.
    init(perSecond: Int, exempt: Set<String>) {
        rate = Mutex(RequestRate(perSecond: perSecond))
        self.exempt = exempt
    }

    func handle(
        _ request: Request, context: RelayRequestContext,
        next: (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        let now = start.duration(to: .now)
        if let sender = sender(context), let wait = rate.withLock({ $0.count(sender, at: now) }) {
            throw Problem.tooManyRequests(retryAfterSeconds: Int((wait.milliseconds / 1_000).rounded(.up)))
        }
        return try await next(request, context)
    }

    /// What the request counts for; nil where it is not counted. A client that has not authenticated is counted by its address, and
    /// takes nothing from those at the same address that have.
    func sender(_ context: RelayRequestContext) -> RequestSender? {
        if let path = context.endpointPath, exempt.contains(path) { return nil }
        if case .success(let client) = context.authentication { return RequestSender(client) }
        return context.clientAddress.map { .peer(PeerNetwork(address: $0)) }
    }
}
