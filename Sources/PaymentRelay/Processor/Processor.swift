public import Primitives
public import ApplePayToken

/// The service that moves the money. FORT is one; the core knows no other word of its language than the field names of orders.
public protocol Processor: Sendable {
    /// Validates a request's fields and its token, and names every field that is missing, unknown or out of its limits.
    ///
    /// - Parameters:
    ///   - fields: the order's fields by FORT's names.
    ///   - token: the token that is to pay; a processor may need parts of it that Apple lets be absent.
    func prepare(_ fields: [String: String], with token: PaymentToken) throws(ValidationErrors) -> any PreparedCharge

    /// Every error of a request whose token could not be read, so that both can be named at once.
    func validationErrors(in fields: [String: String]) -> [ValidationError]

    /// Captures, voids or refunds. It is asked once for an operation.
    ///
    /// - Parameter fields: what the client sent for the processor alone, by FORT's names.
    func perform(
        _ payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) async -> ProcessorReport

    /// Every error of such a request, before anything is recorded.
    func validationErrors(
        in payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) -> [ValidationError]

    /// Asks what became of a payment. Asking changes nothing and may be repeated.
    func status(of payment: Payment) async -> ProcessorReport

    /// The merchant's name of the account that charged a payment: only messages that this account signed count for it. Nil
    /// where the account is no longer configured.
    func account(of payment: Payment) -> String?
}

/// What is known once the processor has been asked.
public enum ProcessorReport: Sendable, Equatable {
    /// It answered, and the answer is proven to be its own and to be about this order.
    case answered(ProcessorAnswer)
    /// Nothing left this process: the request can be made again.
    case notSent(reason: String)
    /// The request may have arrived; no answer, or none that proves anything.
    case unanswered(reason: String)
}

/// A charge that its processor has validated: nothing is left but to send it. There is no other way to charge, so what was not
/// validated cannot be sent.
public protocol PreparedCharge: Sendable {
    var order: Order { get }
    /// The token that pays it.
    var token: PaymentToken { get }

    /// Charges. It is called once; a failure is never tried again behind the client's back.
    func send() async -> ProcessorReport
}
