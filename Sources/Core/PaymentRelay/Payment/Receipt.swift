public import FoundationEssentials
public import PayrelayPrimitives

/// The answer to a client about a payment or an operation: encoded once, journaled, and replayed byte for byte.
public struct Receipt: Sendable, Equatable {
    public let json: JSONObject

    /// - Parameters:
    ///   - answer: the gateway's answer. Its summary is at the top level, the whole answer under `processor_response`.
    ///   - reason: why the outcome is open, if it is.
    ///   - unproven: names of members that the gateway's answer does not prove.
    ///   - resolvedAt: when an operator settled the payment by hand; `nil` if no operator did.
    public init(
        of payment: Payment, state: PaymentState, answer: GatewayAnswer?, reason: String?, unproven: [String] = [],
        resolvedAt: Date? = nil
    ) {
        var json: JSONObject = [
            "merchant_reference": .string(payment.merchantReference),
            "command": .string(payment.command.rawValue),
            "outcome": .string(state.rawValue),
            "amount": JSON(payment.amount),
            "currency": .string(payment.currency),
            "processor": .string(payment.gateway),
        ]
        json["simulated"] = payment.isSimulated ? true : nil
        json["unproven"] = unproven.isEmpty ? nil : .array(unproven.map { .string($0) })
        json[ResolvedByHand.member] = resolvedAt.map { .string($0.rfc3339InMilliseconds) }
        json.add(answer, reason: reason)
        self.json = json
    }

    /// Returns the bytes that are journaled and sent to clients.
    func encoded() -> [UInt8] { JSON.object(json).encoded() }

    /// Whether bytes of the journal can be a receipt. Clients get the bytes as they are.
    static func isReadable(_ stored: [UInt8]) -> Bool { (try? JSON(parsing: stored))?.objectValue != nil }

    /// - Parameters:
    ///   - payment: the payment as the operation leaves it.
    ///   - resolvedAt: when an operator settled the operation by hand; `nil` if no operator did.
    init(
        of operation: PaymentOperation, on payment: Payment, answer: GatewayAnswer?, reason: String?,
        resolvedAt: Date? = nil
    ) {
        var json: JSONObject = [
            "merchant_reference": .string(payment.merchantReference),
            "command": .string(operation.command.rawValue),
        ]
        json["maintenance_reference"] = operation.maintenanceReference.map { .string($0) }
        json["outcome"] = .string(operation.outcome(on: payment))
        json["amount"] = JSON(operation.amount)
        json["currency"] = .string(payment.currency)
        json["captured_amount"] = JSON(payment.balance.captured)
        json["refunded_amount"] = JSON(payment.balance.refunded)
        json[ResolvedByHand.member] = resolvedAt.map { .string($0.rfc3339InMilliseconds) }
        json.add(answer, reason: reason)
        self.json = json
    }
}

extension PaymentOperation {
    /// Returns the outcome in the answer to clients: the payment's new state once the operation is done, and
    /// `uncertain` while the gateway has not decided.
    public func outcome(on payment: Payment) -> String {
        switch state {
        case .done: payment.state.rawValue
        case .pending: State.uncertain.rawValue
        case .processing, .uncertain, .declined, .notProcessed: state.rawValue
        }
    }
}

extension JSONObject {
    fileprivate mutating func add(_ answer: GatewayAnswer?, reason: String?) {
        self["reason"] = reason.map { .string($0) }
        for member in answer?.summary.members ?? [] { self[member.name] = member.value }
        self["processor_response"] = answer.map { .object($0.response) }
    }
}
