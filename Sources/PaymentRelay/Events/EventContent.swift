import ApplePayToken
import FoundationEssentials
import Primitives

/// The event of a change, written with it: the payment as it was at that moment, whatever becomes of it until the backend
/// acknowledges the event.
///
/// An event holds what the processor proved. There is none for what is open, for the begin of an operation, or for what never
/// left this process. `docs/events.md` has the table.
extension PaymentChange {
    /// The event's JSON without its identifier, which only the journal can give; nil where the change has no event.
    var event: [UInt8]? {
        guard let proof, let type = eventType else { return nil }
        var event: JSONObject = [
            "type": .string(type),
            "occurred_at": .string(at.rfc3339InMilliseconds),
            "merchant_reference": .string(to.merchantReference),
            "outcome": .string(to.state.rawValue),
        ]
        let shown = CustomerData.withoutIdentity(proof.summary)
        event["payment"] = .object(to.eventJSON(with: settledOperation == nil ? shown : [:]))
        event["operation"] = settledOperation.map { .object($0.eventJSON(with: shown)) }
        return JSON.object(event).encoded()
    }

    /// `payment.…` where the payment has become another one, `capture.…` and the like where an operation came to nothing;
    /// nil where the answer leaves open what happened.
    var eventType: String? {
        guard let operation = settledOperation else {
            return to.state.isOpen ? nil : "payment.\(to.state.rawValue)"
        }
        if operation.state.isOpen { return nil }
        if operation.state == .done || to.state != from.state || to.balance != from.balance {
            return "payment.\(to.state.rawValue)"
        }
        return "\(operation.command.eventSubject).\(operation.state.rawValue)"
    }

    /// The operation that the change is about, as it leaves it.
    private var settledOperation: PaymentOperation? {
        from.operations.last == to.operations.last ? nil : to.operations.last
    }
}

extension Payment {
    /// By the names that `GET /v1/payments/{merchant_reference}` has.
    fileprivate func eventJSON(with summary: JSONObject) -> JSONObject {
        var json: JSONObject = [
            "merchant_reference": .string(merchantReference), "command": .string(command.rawValue),
            "outcome": .string(state.rawValue), "amount": JSON(amount), "currency": .string(currency),
            "captured_amount": JSON(balance.captured), "refunded_amount": JSON(balance.refunded),
        ]
        json["apple_transaction_identifier"] = appleTransactionIdentifier.map { .string($0) }
        json["made_elsewhere"] = isMadeElsewhere ? true : nil
        for member in summary.members { json[member.name] = member.value }
        return json
    }
}

extension PaymentOperation {
    fileprivate func eventJSON(with summary: JSONObject) -> JSONObject {
        var json: JSONObject = ["command": .string(command.rawValue)]
        json["maintenance_reference"] = maintenanceReference.map { .string($0) }
        json["amount"] = JSON(amount)
        json["outcome"] = .string(state.rawValue)
        for member in summary.members { json[member.name] = member.value }
        return json
    }
}

extension OperationCommand {
    fileprivate var eventSubject: String {
        switch self {
        case .capture: "capture"
        case .voidAuthorization: "void"
        case .refund: "refund"
        }
    }
}
