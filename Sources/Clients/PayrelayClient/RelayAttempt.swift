import PayrelayAPI

/// One request to the relay and what came of it, for the app's log (``RelayClient/Settings/log``). It holds nothing of the card, of the
/// customer or of a token.
public struct RelayAttempt: Sendable, Hashable, CustomStringConvertible {
    /// The order's.
    public let merchantReference: String
    /// `POST` for a payment, `GET` for a look-up.
    public let method: String
    /// The HTTP status; nil where no answer came.
    public let status: Int?
    /// The payment's outcome, the problem's name, or why no answer came.
    public let result: String
    /// How long it took.
    public let seconds: Double

    /// In one line.
    public var description: String {
        let parts = [merchantReference, method, status.map(String.init), result].compactMap { $0 }
        return "\(parts.joined(separator: " ")) (\(Int(seconds * 1_000)) ms)"
    }
}

extension RelayAttempt {
    init(
        _ event: PaymentAttempts.Event, status: Int?, _ step: PaymentAttempts.Step, of merchantReference: String,
        seconds: Double
    ) {
        self.merchantReference = merchantReference
        method = step == .pay ? "POST" : "GET"
        self.status = status
        self.seconds = seconds
        // Words that are not in the tables here are another's, and may say anything.
        result =
            switch event {
            case .answered(.payment(let payment, _)):
                PaymentOutcome.all.contains(payment.outcome) ? "\(payment.outcome)" : "an outcome of a later version"
            case .answered(.otherPayment): "the payment of another order"
            case .answered(.problem(let problem, _)): problem.kind?.rawValue ?? "a problem of a later version"
            case .answered(.foreign): "not the relay's"
            case .failed(.notSent(let reason)): "not sent: \(reason)"
            case .failed(.lost(let reason)): "lost: \(reason)"
            case .failed(.insecure(let reason)): "insecure: \(reason)"
            }
    }
}
