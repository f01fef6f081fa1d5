/// An error of one field, in words for its sender.
public struct ValidationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The field's name or path where it was sent, for example `customer_email` or `token.paymentData.header`.
    public let field: String
    /// Follows the field's name, for example "must be at most 40 characters". Without the value, which may be personal.
    public let detail: String

    public init(field: String, detail: String) {
        self.field = field
        self.detail = detail
    }

    public var description: String { "\(field) \(detail)" }
}

/// All errors in the fields of one request, order or message.
public struct ValidationErrors: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not empty; several may name the same field.
    public let errors: [ValidationError]

    public init(_ errors: [ValidationError]) {
        self.errors = errors
    }

    public var description: String { errors.map(\.description).joined(separator: "; ") }

    /// - Throws: ``ValidationErrors`` where there is at least one.
    public static func throwIfAny(_ errors: [ValidationError]) throws(ValidationErrors) {
        if !errors.isEmpty { throw ValidationErrors(errors) }
    }
}

extension [ValidationError] {
    /// The errors as every API answers them: an array of objects with `field` and `detail`.
    public var json: JSON { .array(map { ["field": .string($0.field), "detail": .string($0.detail)] }) }
}
