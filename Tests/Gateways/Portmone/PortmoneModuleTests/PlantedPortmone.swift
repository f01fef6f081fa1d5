import ApplePayToken
import OutboundHTTP
import PaymentRelay
import PayrelayPrimitives
import PortmoneAPI

@testable import PortmoneModule

/// A gateway for Portmone with a mistake that a schedule must find.
struct PlantedPortmone: Gateway {
    let inner: PortmoneGateway
    var onPerform: @Sendable (Payment, PaymentOperation, GatewayAnswer) -> GatewayAnswer = { _, _, answer in answer
    }
    var onStatus: @Sendable (Payment, GatewayAnswer) -> GatewayAnswer = { _, answer in answer }

    var name: String { inner.name }
    var title: String { inner.title }
    var accounts: [GatewayAccount] { inner.accounts }
    var longestExchange: Duration { inner.longestExchange }
    var orderFields: [OrderField] { inner.orderFields }

    func prepare(
        _ fields: [String: String], account: String, with token: PaymentToken
    ) throws(ValidationErrors) -> any PreparedCharge {
        try inner.prepare(fields, account: account, with: token)
    }

    func prepareRecurring(
        _ fields: [String: String], account: String
    ) throws(ValidationErrors) -> any PreparedCharge {
        try inner.prepareRecurring(fields, account: account)
    }

    func validationErrors(in fields: [String: String]) -> [ValidationError] { inner.validationErrors(in: fields) }

    func whyUnverified(_ account: String) async -> UnverifiedAccount? { await inner.whyUnverified(account) }

    func perform(
        _ payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) async -> Outcome<GatewayAnswer> {
        await inner.perform(payment, operation, fields: fields).map { onPerform(payment, operation, $0) }
    }

    func validationErrors(
        in payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) -> [ValidationError] {
        inner.validationErrors(in: payment, operation, fields: fields)
    }

    func status(of payment: Payment) async -> Outcome<GatewayAnswer> {
        await inner.status(of: payment).map { onStatus(payment, $0) }
    }

    func status(of merchantReference: String, account: String) async -> Outcome<GatewayAnswer> {
        await inner.status(of: merchantReference, account: account)
    }
}

/// A transport to Portmone. If an answer contains a given text, it replaces the answer with one that proves nothing.
struct BlockingTransport: GatewayTransport {
    let inner: any GatewayTransport
    let blocked: String

    func send(_ request: OutboundRequest) async -> Outcome<OutboundAnswer> {
        let outcome = await inner.send(request)
        guard case .answered(let answer) = outcome, String(decoding: answer.body, as: UTF8.self).contains(blocked)
        else {
            return outcome
        }
        return .answered(OutboundAnswer(status: 500, body: []))
    }
}
