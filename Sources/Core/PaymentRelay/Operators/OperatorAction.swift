/// An action of an operator. The server's table of roles decides which role permits which action.
public enum OperatorAction: String, CaseIterable, Sendable {
    case look
    case queryGateway = "query_gateway"
    case resendEvents = "resend_events"
    case writeNote = "write_note"
    /// Takes a payment, or hands back a payment that the operator has taken.
    case takePayment = "take_payment"
    /// Hands back a payment that another operator has taken.
    case releasePayment = "release_payment"
    case exportPayments = "export_payments"
    /// Shows how the merchant's backend answered an event.
    case seeBackendAnswers = "see_backend_answers"
    /// Injects faults into a simulated gateway, and makes it send notifications.
    case simulateGateway = "simulate_gateway"
    case capture, void, refund
    /// Settles a payment or an operation that the gateway leaves open.
    case resolvePayment = "resolve_payment"
    /// Erases a customer's data.
    case forget

    public init(_ command: OperationCommand) {
        self =
            switch command {
            case .capture: .capture
            case .voidAuthorization: .void
            case .refund: .refund
            }
    }
}
