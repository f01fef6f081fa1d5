import ApplePayToken
import JournalContract
import PaymentRelay
import PayrelayPrimitives

/// A gateway that does some things wrong, and forwards all other calls.
struct FaultyGateway: Gateway {
    let inner: SimulatedGateway
    var onCharge: (@Sendable (SimulatedCharge) async -> Outcome<GatewayAnswer>)?
    var onPerform: (@Sendable (Payment, PaymentOperation, [String: String]) async -> Outcome<GatewayAnswer>)?
    /// Whether a charge can be queried by its number.
    var queriesByNumber = true
    var onStatus: (@Sendable (Payment?, Outcome<GatewayAnswer>) -> Outcome<GatewayAnswer>)?

    var longestExchange: Duration { SimulatedNetwork.longestExchange }

    func prepare(
        _ fields: [String: String], account: String, with token: PaymentToken
    ) throws(ValidationErrors) -> any PreparedCharge {
        faulty(SimulatedCharge(fields, token: token, gateway: inner))
    }

    func prepareRecurring(
        _ fields: [String: String], account: String
    ) throws(ValidationErrors) -> any PreparedCharge {
        faulty(SimulatedCharge(fields, token: nil, gateway: inner))
    }

    private func faulty(_ charge: SimulatedCharge) -> SampleCharge {
        SampleCharge(order: charge.order, token: charge.token) { [onCharge] in
            if let onCharge { return await onCharge(charge) }
            return await charge.send()
        }
    }

    func validationErrors(in fields: [String: String]) -> [ValidationError] {
        inner.validationErrors(in: fields)
    }

    func validationErrors(
        in payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) -> [ValidationError] { inner.validationErrors(in: payment, operation, fields: fields) }

    func perform(
        _ payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) async -> Outcome<GatewayAnswer> {
        guard let onPerform else { return await inner.perform(payment, operation, fields: fields) }
        return await onPerform(payment, operation, fields)
    }

    func status(of payment: Payment) async -> Outcome<GatewayAnswer> {
        let report = await inner.status(of: payment)
        return onStatus?(payment, report) ?? report
    }

    func canQuery(charge gatewayReference: String) -> Bool {
        queriesByNumber && inner.canQuery(charge: gatewayReference)
    }

    func status(of payment: Payment, charge gatewayReference: String) async -> Outcome<GatewayAnswer> {
        let report = await inner.status(of: payment, charge: gatewayReference)
        return onStatus?(payment, report) ?? report
    }

    func status(of merchantReference: String, account: String) async -> Outcome<GatewayAnswer> {
        let report = await inner.status(of: merchantReference, account: account)
        return onStatus?(nil, report) ?? report
    }
}
