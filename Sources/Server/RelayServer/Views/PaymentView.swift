public import PaymentRelay
public import PayrelayPrimitives

extension Payment {
    /// Returns everything that is known about the payment: its receipt with the current outcome, the captured and
    /// refunded amounts, its operations and its history.
    ///
    /// - Parameter queries: the queries that changed nothing. Each is shown in the history entry that preceded
    ///   it.
    public func view(with history: [HistoryEntry], queries: [QueryWithoutChange] = []) -> JSONObject {
        var json = knownSoFar
        json["apple_transaction_identifier"] = appleTransactionIdentifier.map { .string($0) }
        json["made_elsewhere"] = isMadeElsewhere ? true : nil
        json["archived"] = archiveMonth.map { .string($0.description) }
        json["customer"] = customer.isEmpty ? nil : .object(customer.json)
        if balance != Balance() || !operations.isEmpty {
            json["captured_amount"] = JSON(balance.captured)
            json["refunded_amount"] = JSON(balance.refunded)
        }
        json["operations"] = operations.isEmpty ? nil : .array(operations.map { $0.json(on: self) })
        let asked = Dictionary(grouping: queries, by: \.afterEntry)
        let shown = HistoryExcerpt(of: history)
        json["history"] = .array(shown.entries.map { $0.json(asked: asked[$0.number] ?? []) })
        json["history_omitted"] = shown.omitted == 0 ? nil : JSON(shown.omitted)
        return json
    }

    /// The receipt with the current outcome. While the payment is processing, the receipt that it would have now.
    private var knownSoFar: JSONObject {
        if let receipt, var members = (try? JSON(parsing: receipt))?.objectValue {
            members["outcome"] = .string(state.rawValue)
            return members
        }
        return Receipt(of: self, state: state, answer: nil, reason: nil).json
    }
}

extension PaymentOperation {
    /// Returns the stored receipt of the operation; before the operation has ended, its known members.
    fileprivate func json(on payment: Payment) -> JSON {
        var json = receipt.flatMap { (try? JSON(parsing: $0))?.objectValue } ?? [:]
        json["merchant_reference"] = nil
        json["command"] = .string(command.rawValue)
        json["maintenance_reference"] = maintenanceReference.map { .string($0) }
        json["amount"] = JSON(amount)
        json["given_reason"] = givenReason.map { .string($0) }
        if receipt == nil { json["outcome"] = .string(outcome(on: payment)) }
        json["begun_at"] = .string(begunAt.rfc3339InMilliseconds)
        return .object(json)
    }
}

extension HistoryEntry {
    fileprivate func json(asked queries: [QueryWithoutChange]) -> JSON {
        var json: JSONObject = [
            "at": .string(at.rfc3339InMilliseconds),
            "outcome": .string(state.rawValue),
        ]
        if times > 1 {
            json["times"] = JSON(times)
            json["since"] = since.map { .string($0.rfc3339InMilliseconds) }
        }
        json["source"] = source.map { .string($0.word) }
        json["asked_by"] = source?.requester.map { .string($0.word) }
        json["feedback"] = source?.feedback.map { .string($0.rawValue) }
        json["client"] = source?.clientName.map { .string($0) }
        json["reason"] = reason.map { .string($0) }
        json["operator"] = operatorName.map { .string($0) }
        json["request_id"] = requestIdentifier.map { .string($0) }
        json["asked"] = queries.isEmpty ? nil : .array(queries.map(\.json))
        return .object(json)
    }
}

extension QueryWithoutChange {
    fileprivate var json: JSON {
        var json: JSONObject = ["asked_by": .string(requester.word)]
        json["client"] = requester.clientName.map { .string($0) }
        json["operator"] = requester.operatorName.map { .string($0) }
        json["times"] = JSON(times)
        json["first_at"] = .string(first.rfc3339InMilliseconds)
        json["last_at"] = .string(last.rfc3339InMilliseconds)
        json["answer"] = .string(answer.rawValue)
        json["reason"] = reason.map { .string($0) }
        return .object(json)
    }
}
