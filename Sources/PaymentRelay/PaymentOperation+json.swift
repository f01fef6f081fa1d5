import FoundationEssentials
import Primitives

/// How journals keep a payment's operations: as one JSON array in the payment's own row, so that what was done with a
/// payment and what is left of it change together or not at all.
extension PaymentOperation {
    /// - Throws: ``UnreadableOperations`` where no version of this code wrote it.
    static func operations(from bytes: [UInt8]) throws(UnreadableOperations) -> [PaymentOperation] {
        guard let elements = (try? JSON(parsing: bytes))?.arrayValue,
            elements.count <= PaymentRelay.operationLimit
        else { throw UnreadableOperations() }
        var operations: [PaymentOperation] = []
        for element in elements { operations.append(try PaymentOperation(json: element)) }
        return operations
    }

    /// Nil for none.
    public static func encoded(_ operations: [PaymentOperation]) -> [UInt8]? {
        operations.isEmpty ? nil : JSON.array(operations.map(\.json)).encoded()
    }

    private var json: JSON {
        var json: JSONObject = [
            "command": .string(command.rawValue), "amount": JSON(amount), "name": .string(name),
            "captured_before": JSON(before.captured), "refunded_before": JSON(before.refunded),
            "begun_at": JSON(JournalTime(begunAt).milliseconds), "state": .string(state.rawValue),
            "changed_at": JSON(JournalTime(changedAt).milliseconds),
        ]
        json["maintenance_reference"] = maintenanceReference.map { .string($0) }
        json["receipt"] = receipt.map { .string(String(decoding: $0, as: UTF8.self)) }
        return .object(json)
    }

    private init(json: JSON) throws(UnreadableOperations) {
        guard let command = json["command"]?.stringValue.flatMap(OperationCommand.init),
            let amount = json["amount"]?.amount, let name = json["name"]?.stringValue,
            let captured = json["captured_before"]?.amount, let refunded = json["refunded_before"]?.amount,
            let begunAt = json["begun_at"]?.moment, let changedAt = json["changed_at"]?.moment,
            let state = json["state"]?.stringValue.flatMap(State.init)
        else { throw UnreadableOperations() }
        self.init(
            command: command, amount: amount, maintenanceReference: json["maintenance_reference"]?.stringValue,
            name: name, before: Balance(captured: captured, refunded: refunded),
            begunAt: begunAt, state: state, changedAt: changedAt,
            receipt: json["receipt"]?.stringValue.map { Array($0.utf8) })
    }
}

/// The operations of a payment are not as any version of this code wrote them.
struct UnreadableOperations: Error, Equatable, Sendable {}

extension JSON {
    fileprivate var amount: MinorUnits? {
        if case .number(let literal) = self { MinorUnits(parsing: literal) } else { nil }
    }

    fileprivate var moment: Date? {
        guard case .number(let literal) = self, let milliseconds = Int(literal) else { return nil }
        return JournalTime(milliseconds: milliseconds)?.date
    }
}
