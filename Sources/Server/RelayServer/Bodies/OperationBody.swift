import PaymentRelay
import PayrelayPrimitives

/// The body of a capture, a void or a refund. Every member is optional; a member that the command does not have
/// is an error.
struct OperationBody {
    /// `nil` for the whole amount that is left.
    let amount: MinorUnits?
    let currency: String?
    let maintenanceReference: String?
    /// The remaining members, which are sent to the gateway unchanged.
    let fields: [String: String]

    /// - Throws: 400 with every invalid member.
    init(json: JSON, command: OperationCommand) throws(Problem) {
        var reader = try JSONFieldReader(body: json)
        var texts = reader.texts(
            allowing: Self.members(of: command), of: command.rawValue, digitsIn: "amount")
        amount = texts.removeValue(forKey: "amount").flatMap { text in
            guard let amount = MinorUnits(parsing: text), amount > .zero else {
                reader.add("amount", "must be a whole number of minor units, 1 to \(MinorUnits.limit)")
                return nil
            }
            return amount
        }
        currency = texts.removeValue(forKey: "currency")
        maintenanceReference = texts.removeValue(forKey: "maintenance_reference")
        // The journal stores the reference in several places, so its form is limited here, whatever the gateway
        // accepts.
        if maintenanceReference?.isReference(upTo: 200) == false {
            reader.add("maintenance_reference", "must be 1 to 200 ASCII letters, digits and . _ -")
        }
        fields = texts
        guard reader.errors.isEmpty else { throw .invalidFields(reader.errors) }
    }

    private static func members(of command: OperationCommand) -> Set<String> {
        let all: Set = ["maintenance_reference", "language", "order_description"]
        return command == .voidAuthorization ? all : all.union(["amount", "currency"])
    }
}
