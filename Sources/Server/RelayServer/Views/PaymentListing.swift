public import PaymentRelay
public import PayrelayPrimitives

extension Payment {
    /// The payment as an entry of a list: what it is, its state, and the gateway's names for it. The full payment
    /// and the customer's data are returned only for a single payment.
    public var listing: JSONObject {
        var json: JSONObject = [
            "merchant_reference": .string(merchantReference),
            "claimed_at": .string(claimedAt.rfc3339InMilliseconds),
            "command": .string(command.rawValue),
            "outcome": .string(state.rawValue),
            "amount": JSON(amount),
            "currency": .string(currency),
            "captured_amount": JSON(balance.captured),
            "refunded_amount": JSON(balance.refunded),
        ]
        for member in summary.members { json[member.name] = member.value }
        json["apple_transaction_identifier"] = appleTransactionIdentifier.map { .string($0) }
        json["processor"] = .string(gateway)
        json["account"] = account.map { .string($0) }
        json["client"] = client.map { .string($0) }
        json["made_elsewhere"] = isMadeElsewhere ? true : nil
        return json
    }
}
