import FoundationEssentials
import OrderedJSON

/// How journals keep a payment's operations: as one JSON array in the payment's own row, so that what was done with a
/// payment and what is left of it change together or not at all.
extension MaintenanceOperation {
    /// - Throws: ``UnreadableOperations`` where no version of this code wrote it.
    public static func operations(from bytes: [UInt8]) throws(UnreadableOperations) -> [MaintenanceOperation] {
        guard let elements = (try? JSON(parsing: bytes))?.arrayValue else { throw UnreadableOperations() }
        var operations: [MaintenanceOperation] = []
        for element in elements { operations.append(try MaintenanceOperation(json: element)) }
        return operations
    }

    /// Nil for none.
    public static func encoded(_ operations: [MaintenanceOperation]) -> [UInt8]? {
        operations.isEmpty ? nil : JSON.array(operations.map(\.json)).encoded()
    }

    private var json: JSON {
        var json: JSONObject = [
            "command": .string(command.rawValue), "amount": JSON(amount), "name": .string(name),
            "captured_before": JSON(before.captured), "refunded_before": JSON(before.refunded),
            "begun_at": JSON(begunAt.millisecondsSince1970), "state": .string(state.rawValue),
            "changed_at": JSON(changedAt.millisecondsSince1970),
        ]
        json["maintenance_reference"] = maintenanceReference.map { .string($0) }
        json["receipt"] = receipt.map { .string(String(decoding: $0, as: UTF8.self)) }
        return .object(json)
    }

    private init(json: JSON) throws(UnreadableOperations) {
        guard let command = json["command"]?.stringValue.flatMap(MaintenanceCommand.init),
            let amount = json["amount"]?.integer, let name = json["name"]?.stringValue,
            let captured = json["captured_before"]?.integer, let refunded = json["refunded_before"]?.integer,
            let begunAt = json["begun_at"]?.integer, let changedAt = json["changed_at"]?.integer,
            let state = json["state"]?.stringValue.flatMap(State.init)
        else { throw UnreadableOperations() }
        self.init(
            command: command, amount: amount, maintenanceReference: json["maintenance_reference"]?.stringValue,
            name: name, before: Balance(captured: captured, refunded: refunded),
            begunAt: Date(millisecondsSince1970: begunAt), state: state,
            changedAt: Date(millisecondsSince1970: changedAt),
            receipt: json["receipt"]?.stringValue.map { Array($0.utf8) })
    }
}

/// The operations of a payment are not as any version of this code wrote them.
public struct UnreadableOperations: Error, Equatable, Sendable {}

extension JSON {
    fileprivate var integer: Int? {
        if case .number(let literal) = self { Int(literal) } else { nil }
    }
}

extension Date {
    /// The journals' unit of time.
    fileprivate var millisecondsSince1970: Int { Int((timeIntervalSince1970 * 1_000).rounded()) }

    fileprivate init(millisecondsSince1970 milliseconds: Int) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
}
