import ApplePayToken
import PaymentRelay

/// A processor that reports a charge wrongly, and hands on the rest.
struct FaultyProcessor: Processor {
    let inner: SimulatedProcessor
    let onCharge: @Sendable (Order, PaymentToken) async -> ProcessorReport

    func order(from fields: [String: String], token: PaymentToken) throws(OrderFaults) -> Order {
        try inner.order(from: fields, token: token)
    }

    func faults(in fields: [String: String]) -> [FieldFault] {
        inner.faults(in: fields)
    }

    func charge(_ order: Order, with token: PaymentToken) async -> ProcessorReport {
        await onCharge(order, token)
    }

    func faults(
        in payment: Payment, _ operation: MaintenanceOperation, fields: [String: String]
    ) -> [FieldFault] { inner.faults(in: payment, operation, fields: fields) }

    func maintain(
        _ payment: Payment, _ operation: MaintenanceOperation, fields: [String: String]
    ) async -> ProcessorReport {
        await inner.maintain(payment, operation, fields: fields)
    }

    func status(of payment: Payment) async -> ProcessorReport {
        await inner.status(of: payment)
    }
}
