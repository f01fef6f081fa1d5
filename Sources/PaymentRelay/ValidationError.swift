/// What is wrong with one field of a request, in words for the developer of the client.
public struct ValidationError: Error, Sendable, Equatable {
    /// The field's path in the request, for example `customer_email` or `token.paymentData.header`.
    public let field: String
    /// What is wrong, without the value: it may be personal.
    public let detail: String

    public init(field: String, detail: String) {
        self.field = field
        self.detail = detail
    }
}

/// Every error of a request at once.
public struct ValidationErrors: Error, Sendable, Equatable {
    /// Never empty.
    public let errors: [ValidationError]

    public init(_ errors: [ValidationError]) {
        self.errors = errors
    }
}
