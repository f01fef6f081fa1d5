import FoundationEssentials
public import PayrelayPrimitives

extension Payment {
    /// Everything that is known of the payment, with its history: its receipt with the present outcome, what was captured and refunded,
    /// and its operations.
    public func view(with history: [HistoryEntry]) -> JSONObject {
        var json = knownSoFar
        json["apple_transaction_identifier"] = appleTransactionIdentifier.map { .string($0) }
        json["made_elsewhere"] = isMadeElsewhere ? true : nil
        if balance != Balance() || !operations.isEmpty {
            json["captured_amount"] = JSON(balance.captured)
            json["refunded_amount"] = JSON(balance.refunded)
        }
        json["operations"] = operations.isEmpty ? nil : .array(operations.map { $0.json(on: self) })
        json["history"] = .array(history.map(\.json))
        return json
    }

    /// The receipt with the present outcome, or what would stand in it while the payment is processing.
    private var knownSoFar: JSONObject {
        if let receipt, var members = (try? JSON(parsing: receipt))?.objectValue {
            members["outcome"] = .string(state.rawValue)
            return members
        }
        return Receipt(of: self, state: state, answer: nil, reason: nil).json
    }
}

extension PaymentOperation {
    /// The stored receipt of the operation; before it ended, what is known of it.
    fileprivate func json(on payment: Payment) -> JSON {
        var json = receipt.flatMap { (try? JSON(parsing: $0))?.objectValue } ?? [:]
        json["merchant_reference"] = nil
        json["command"] = .string(command.rawValue)
        json["maintenance_reference"] = maintenanceReference.map { .string($0) }
        json["amount"] = JSON(amount)
        if receipt == nil { json["outcome"] = .string(outcome(on: payment)) }
        json["begun_at"] = .string(begunAt.rfc3339InMilliseconds)
        return .object(json)
    }
}

extension HistoryEntry {
    fileprivate var json: JSON {
        var json: JSONObject = [
            "at": .string(at.rfc3339InMilliseconds),
            "outcome": .string(state.rawValue),
        ]
        json["reason"] = reason.map { .string($0) }
        json["operator"] = operatorRequest.map { .string($0.operatorName) }
        json["request_id"] = (operatorRequest?.identifier ?? requestIdentifier).map { .string($0) }
        return .object(json)
    }
}
