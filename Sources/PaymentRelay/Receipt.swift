public import OrderedJSON

/// What a caller is told of a payment: written once, journaled, and given again byte for byte.
public struct Receipt: Sendable, Equatable {
    public let json: JSONObject

    /// - Parameters:
    ///   - answer: what the processor answered; its summary stands at the top, the whole under `processor_response`.
    ///   - reason: why the outcome is open, where it is.
    public init(of payment: Payment, state: PaymentState, answer: ProcessorAnswer?, reason: String?) {
        var json: JSONObject = [
            "merchant_reference": .string(payment.merchantReference),
            "command": .string(payment.command.rawValue),
            "outcome": .string(state.rawValue),
            "amount": JSON(payment.amount),
            "currency": .string(payment.currency),
        ]
        json["reason"] = reason.map { .string($0) }
        for member in answer?.summary.members ?? [] { json[member.name] = member.value }
        json["processor_response"] = answer.map { .object($0.response) }
        self.json = json
    }
}
