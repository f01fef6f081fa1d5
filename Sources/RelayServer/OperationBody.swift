import Primitives
import PaymentRelay

/// The body of a capture, a void or a refund. Every member is optional; one that the command does not have is an error.
struct OperationBody {
    /// Nil for all that is left.
    let amount: MinorUnits?
    let currency: String?
    let maintenanceReference: String?
    /// What goes to the processor as it is.
    let fields: [String: String]

    /// - Throws: 400 with every member at fault.
    init(json: JSON, command: OperationCommand) throws(Problem) {
        guard case .object(let members) = json else {
            throw .notJSON("The body must be an object, not \(json.kind).")
        }
        var texts: [String: String] = [:]
        var faults: [ValidationError] = []
        for member in members.members {
            switch (member.name, member.value) {
            case let (name, _) where !Self.members(of: command).contains(name):
                faults.append(ValidationError(field: name, detail: "is not a field of \(command.rawValue)"))
            case (let name, .string(let text)): texts[name] = text
            case ("amount", .number(let literal)): texts["amount"] = literal
            case (let name, let value):
                let expected = name == "amount" ? "a whole number, or a string of digits" : "a string"
                faults.append(ValidationError(field: name, detail: "must be \(expected), not \(value.kind)"))
            }
        }
        amount = texts.removeValue(forKey: "amount").flatMap { text in
            guard let amount = MinorUnits(parsing: text), amount > .zero else {
                faults.append(
                    ValidationError(
                        field: "amount", detail: "must be a whole number of minor units, 1 to \(MinorUnits.limit)"))
                return nil
            }
            return amount
        }
        currency = texts.removeValue(forKey: "currency")
        maintenanceReference = texts.removeValue(forKey: "maintenance_reference")
        if maintenanceReference?.isEmpty == true {
            faults.append(ValidationError(field: "maintenance_reference", detail: "must not be empty"))
        }
        fields = texts
        guard faults.isEmpty else { throw .invalidFields(faults) }
    }

    private static func members(of command: OperationCommand) -> Set<String> {
        let all: Set = ["maintenance_reference", "language", "order_description"]
        return command == .voidAuthorization ? all : all.union(["amount", "currency"])
    }
}
