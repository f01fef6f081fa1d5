import Hummingbird
import PaymentRelay
import Synchronization

/// Refuses clients that send too fast, before their bodies are read. FORT's feedback is not counted: it all comes from one
/// place, and what is forged of it costs no more than a signature.
final class RateMiddleware: RouterMiddleware {
    private let rate: Mutex<RequestRate<RequestSender>>
    private let start = ContinuousClock.now

    init(perSecond: Int) {
        rate = Mutex(RequestRate(perSecond: perSecond))
    }

    func handle(
        _ request: Request, context: RelayRequestContext,
        next: (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        let now = start.duration(to: .now)
        if let sender = Self.sender(context), let wait = rate.withLock({ $0.count(sender, at: now) }) {
            throw Problem.tooManyRequests(retryAfterSeconds: Int((wait.milliseconds / 1_000).rounded(.up)))
        }
        return try await next(request, context)
    }

    /// Who sends; nil for who is not counted. Who has not authenticated, or tries credentials that are none, is counted by his
    /// address, and takes nothing from those beside him who have.
    static func sender(_ context: RelayRequestContext) -> RequestSender? {
        guard !context.isFeedback else { return nil }
        if case .success(let client) = context.authentication { return RequestSender(client) }
        return context.clientAddress.map { RequestSender(address: $0) }
    }
}
