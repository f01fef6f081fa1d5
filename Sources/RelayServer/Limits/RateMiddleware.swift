import Hummingbird
import PaymentRelay
import Synchronization

/// Refuses clients that send too fast, before their bodies are read. FORT's feedback is not counted: it all comes from one
/// place, and what is forged of it costs no more than a signature.
final class RateMiddleware: RouterMiddleware {
    private let rate: Mutex<RequestRate>
    private let start = ContinuousClock.now

    init(perSecond: Int) {
        rate = Mutex(RequestRate(perSecond: perSecond))
    }

    func handle(
        _ request: Request, context: RelayRequestContext,
        next: (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        let now = start.duration(to: .now)
        if let client = Self.client(request, context), let wait = rate.withLock({ $0.count(client, at: now) }) {
            throw Problem.tooManyRequests(retryAfterSeconds: Int((wait.milliseconds / 1_000).rounded(.up)))
        }
        return try await next(request, context)
    }

    /// Who sends; nil for who is not counted. It is asked before anybody has authenticated, so that guessing is limited too.
    static func client(_ request: Request, _ context: RelayRequestContext) -> String? {
        guard !request.uri.path.hasPrefix("/v1/feedback/"), let text = context.callerAddress else { return nil }
        guard let address = IPAddress(text), address.bytes.count == 16 else { return text }
        // Of IPv6 each customer has a network of 2^64 addresses at the least.
        return "\(address.bytes.prefix(8))"
    }
}
