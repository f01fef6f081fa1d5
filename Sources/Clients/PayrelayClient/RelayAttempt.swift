import PayrelayAPI

/// One request to the relay and its result, for the app's log (``RelayClient/Settings/log``). It contains nothing
/// about the card or the customer, and no token.
public struct RelayAttempt: Sendable, Hashable, CustomStringConvertible {
    /// The reference of the order.
    public let merchantReference: String
    /// The method: `POST` for a payment, `GET` for a look-up.
    public let method: String
    /// The HTTP status; `nil` if there was no response.
    public let status: Int?
    /// The payment's outcome, the problem's name, or the reason why there was no response.
    public let result: String
    /// The duration in seconds.
    public let seconds: Double

    /// The attempt on one line.
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
        // Unknown words are not logged, because another server may have sent them, and they could contain
        // anything.
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
