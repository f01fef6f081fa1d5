public import PaymentRelay
public import PayrelayPrimitives

extension Payment {
    /// The payment in a list: what it is, where it stands, and what the gateway called it. The whole of it, and the customer's data,
    /// is where one payment is asked for.
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
