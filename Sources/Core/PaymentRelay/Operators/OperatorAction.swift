/// What an operator can ask for. The server's table of roles says who may.
public enum OperatorAction: String, CaseIterable, Sendable {
    case look
    case askProcessor = "ask_processor"
    case resendEvents = "resend_events"
    case exportPayments = "export_payments"
    /// How the merchant's backend answered an event.
    case seeBackendAnswers = "see_backend_answers"
    /// What a simulated processor answers.
    case simulateProcessor = "simulate_processor"
    case capture, void, refund

    public init(_ command: OperationCommand) {
        self =
            switch command {
            case .capture: .capture
            case .voidAuthorization: .void
            case .refund: .refund
            }
    }
}
