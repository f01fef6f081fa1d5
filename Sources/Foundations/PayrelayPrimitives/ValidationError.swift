/// An error in one field, in words for the sender.
public struct ValidationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name or path of the field as it was sent, such as `customer_email` or `token.paymentData.header`.
    public let field: String
    /// The text that follows the field's name, such as "must be at most 40 characters". It never contains the
    /// value, which may be personal data.
    public let detail: String

    public init(field: String, detail: String) {
        self.field = field
        self.detail = detail
    }

    public var description: String { "\(field) \(detail)" }
}

/// All errors in the fields of one request, order or message.
public struct ValidationErrors: Error, Hashable, Sendable, CustomStringConvertible {
    /// The errors; never empty. Several errors may be about the same field.
    public let errors: [ValidationError]

    public init(_ errors: [ValidationError]) {
        self.errors = errors
    }

    public var description: String { errors.map(\.description).joined(separator: "; ") }

    /// Throws the errors, if there are any.
    ///
    /// - Throws: ``ValidationErrors`` if there is at least one error.
    public static func throwIfAny(_ errors: [ValidationError]) throws(ValidationErrors) {
        if !errors.isEmpty { throw ValidationErrors(errors) }
    }
}

extension [ValidationError] {
    /// The errors as every API returns them: an array of objects with `field` and `detail`.
    public var json: JSON { .array(map { ["field": .string($0.field), "detail": .string($0.detail)] }) }
}
