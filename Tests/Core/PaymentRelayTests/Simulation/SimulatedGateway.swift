import ApplePayToken
import JournalContract
import PaymentRelay
import PayrelayPrimitives

/// FORT as a process of the relay reaches it.
struct SimulatedGateway: Gateway {
    let fort: SimulatedFort
    let network: SimulatedNetwork
    let life: ProcessLife
    let world: SimulatedWorld

    var longestExchange: Duration { SimulatedNetwork.longestExchange }

    func prepare(
        _ fields: [String: String], account: String, with token: PaymentToken
    ) throws(ValidationErrors) -> any PreparedCharge {
        SimulatedCharge(fields, token: token, gateway: self)
    }

    func prepareRecurring(
        _ fields: [String: String], account: String
    ) throws(ValidationErrors) -> any PreparedCharge {
        SimulatedCharge(fields, token: nil, gateway: self)
    }

    func validationErrors(in fields: [String: String]) -> [ValidationError] { [] }

    func validationErrors(
        in payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) -> [ValidationError] { [] }

    func perform(
        _ payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) async -> Outcome<GatewayAnswer> {
        report(on: await exchangeOperation(payment, operation, fields))
    }

    /// Sends an operation. The network makes no copies of operations: TCP delivers each byte once, and FORT, which does not
    /// number captures, would carry out a copy.
    func exchangeOperation(
        _ payment: Payment, _ operation: PaymentOperation, _ fields: [String: String]
    ) async -> SimulatedNetwork.Exchange {
        let reference = payment.merchantReference
        return await exchange("\(operation.command.rawValue) \(reference)", canBeDoubled: false) { [fort] sending in
            fort.perform(reference, operation, sending: sending, attempt: fields["attempt"])
        }
    }

    /// Queries the status. If a reference is charged twice, FORT answers about the first charge.
    func status(of payment: Payment) async -> Outcome<GatewayAnswer> {
        report(
            on: await exchange("CHECK_STATUS \(payment.merchantReference)", canBeDoubled: false) { _ in
                fort.status(of: payment.merchantReference, aboutSecondCharge: false)
            })
    }

    func canQuery(charge gatewayReference: String) -> Bool { true }

    func status(of payment: Payment, charge gatewayReference: String) async -> Outcome<GatewayAnswer> {
        let reference = payment.merchantReference
        return report(
            on: await exchange("CHECK_STATUS \(reference) \(gatewayReference)", canBeDoubled: false) { _ in
                fort.status(of: reference, charge: gatewayReference)
            })
    }

    func status(of merchantReference: String, account: String) async -> Outcome<GatewayAnswer> {
        report(
            on: await exchange("CHECK_STATUS \(merchantReference)", canBeDoubled: false) { _ in
                account == "main"
                    ? fort.status(of: merchantReference, aboutSecondCharge: false, isKnown: false)
                    : GatewayAnswer(meaning: .notFound, summary: [:], response: [:])
            })
    }

    func exchange(_ charge: SimulatedCharge) async -> SimulatedNetwork.Exchange {
        let order = charge.order
        if Task.isCancelled { world.found("the charge of \(order.merchantReference) can be cancelled by its caller") }
        defer { life.endsCharging(order.merchantReference) }
        return await exchange("\(order.command.rawValue) \(order.merchantReference)") { [fort] sending in
            fort.charge(
                .init(
                    sending: sending, attempt: charge.attempt, order: order, token: charge.token?.digest))
        }
    }

    /// Returns the outcome of an exchange. Only an answer that FORT signed is an answer.
    func report(on exchange: SimulatedNetwork.Exchange) -> Outcome<GatewayAnswer> {
        switch exchange {
        case .notConnected: .notSent(reason: "not connected")
        case .noAnswer: .unknown(reason: "timeout")
        case .answered(let answer, isGenuine: true): .answered(answer)
        case .answered(_, isGenuine: false): .unknown(reason: "wrong signature")
        }
    }

    private func exchange(
        _ what: String, canBeDoubled: Bool = true, arrive: @escaping @Sendable (Int) -> GatewayAnswer
    ) async -> SimulatedNetwork.Exchange {
        do {
            try await life.step(what)
            let exchange = await network.exchange(what, canBeDoubled: canBeDoubled, arrive: arrive)
            try await life.step("returned from \(what)")
            // As with a real connection, a cancelled task does not get the answer.
            return Task.isCancelled ? .noAnswer : exchange
        } catch {
            return .noAnswer
        }
    }
}

/// A charge that a customer requested.
struct SimulatedCharge: PreparedCharge {
    let gateway = SampleGateway.name
    let order: Order
    let token: PaymentToken?
    /// The customer's attempt.
    let attempt: String?
    private let inner: SimulatedGateway

    init(_ fields: [String: String], token: PaymentToken?, gateway: SimulatedGateway) {
        order = .sample(
            fields["merchant_reference"] ?? "", Order.Command(rawValue: fields["command"] ?? "") ?? .purchase,
            amount: MinorUnits(parsing: fields["amount"] ?? "") ?? 10_000)
        self.token = token
        attempt = fields["attempt"]
        inner = gateway
    }

    func send() async -> Outcome<GatewayAnswer> { inner.report(on: await inner.exchange(self)) }
}
