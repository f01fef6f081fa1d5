/// What is wrong with one field, in words that never repeat its value.
public struct FortFieldError: Hashable, Sendable, CustomStringConvertible {
    /// FORT's name of the field.
    public let field: String
    /// For example "must be at most 40 characters".
    public let detail: String

    public init(field: String, detail: String) {
        self.field = field
        self.detail = detail
    }

    public var description: String { "\(field) \(detail)" }

    /// The faults of the values of these fields, missing ones included, in the fields' order.
    static func found(of fields: [FortField], in value: (_ name: String) -> String?) -> [FortFieldError] {
        var found: [FortFieldError] = []
        for field in fields {
            for detail in field.faults(in: value(field.name)) {
                found.append(FortFieldError(field: field.name, detail: detail))
            }
        }
        return found
    }
}
