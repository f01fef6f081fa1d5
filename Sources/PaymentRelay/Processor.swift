public import ApplePayToken

/// Whoever moves the money. FORT is one; the core knows no other word of its language than the field names of orders.
public protocol Processor: Sendable {
    /// Makes an order of a request's fields, or names every field that is missing, unknown or out of its limits.
    ///
    /// - Parameters:
    ///   - fields: the order's fields by FORT's names; ``Order/fields`` of the result may have been trimmed.
    ///   - token: the token that is to pay; a processor may need parts of it that Apple lets be absent.
    func order(from fields: [String: String], token: PaymentToken) throws(OrderFaults) -> Order

    /// Every fault of a request whose token could not be read, so that both can be named at once.
    func faults(in fields: [String: String]) -> [FieldFault]

    /// Charges an order that ``order(from:token:)`` has made. It is asked once for an order; a failure is never tried again
    /// behind the caller's back.
    func charge(_ order: Order, with token: PaymentToken) async -> ProcessorReport

    /// Captures, voids or refunds. It is asked once for an operation.
    ///
    /// - Parameter fields: what the caller sent for the processor alone, by FORT's names.
    func maintain(
        _ payment: Payment, _ operation: MaintenanceOperation, fields: [String: String]
    ) async -> ProcessorReport

    /// Every fault of such a request, before anything is recorded.
    func faults(in payment: Payment, _ operation: MaintenanceOperation, fields: [String: String]) -> [FieldFault]

    /// Asks what became of a payment. Asking changes nothing and may be repeated.
    func status(of payment: Payment) async -> ProcessorReport
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
