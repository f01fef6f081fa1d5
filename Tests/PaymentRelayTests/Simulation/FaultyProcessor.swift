import ApplePayToken
import PaymentRelay

/// A processor that does some things wrong, and hands on the rest.
struct FaultyProcessor: Processor {
    let inner: SimulatedProcessor
    var onCharge: (@Sendable (Order, PaymentToken) async -> ProcessorReport)?
    var onMaintain: (@Sendable (Payment, MaintenanceOperation, [String: String]) async -> ProcessorReport)?
    var onStatus: (@Sendable (ProcessorReport) -> ProcessorReport)?

    func order(from fields: [String: String], token: PaymentToken) throws(OrderFaults) -> Order {
        try inner.order(from: fields, token: token)
    }

    func faults(in fields: [String: String]) -> [FieldFault] {
        inner.faults(in: fields)
    }

    func charge(_ order: Order, with token: PaymentToken) async -> ProcessorReport {
        guard let onCharge else { return await inner.charge(order, with: token) }
        return await onCharge(order, token)
    }

    func faults(
        in payment: Payment, _ operation: MaintenanceOperation, fields: [String: String]
    ) -> [FieldFault] { inner.faults(in: payment, operation, fields: fields) }

    func maintain(
        _ payment: Payment, _ operation: MaintenanceOperation, fields: [String: String]
    ) async -> ProcessorReport {
        guard let onMaintain else { return await inner.maintain(payment, operation, fields: fields) }
        return await onMaintain(payment, operation, fields)
    }

    func status(of payment: Payment) async -> ProcessorReport {
        let report = await inner.status(of: payment)
        return onStatus?(report) ?? report
    }
}
