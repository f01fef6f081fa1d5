import Primitives
import PaymentRelay

/// Reads the amounts in a message of FORT, and remembers one that is none. FORT writes them as texts of digits, in minor units.
struct FortNumbers {
    private let parameters: JSONObject
    /// The name of the first parameter that should hold an amount and holds something else.
    private(set) var unreadable: String?

    init(_ parameters: JSONObject) {
        self.parameters = parameters
    }

    /// Nil where it is absent, empty, or no amount.
    mutating func amount(_ name: String) -> MinorUnits? {
        let text: String
        switch parameters[name] {
        case nil, .null, "": return nil
        case .string(let digits), .number(let digits): text = digits
        case .bool, .array, .object: text = ""
        }
        if let amount = MinorUnits(parsing: text) { return amount }
        unreadable = unreadable ?? name
        return nil
    }
}
