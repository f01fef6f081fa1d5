/// What is wrong with one field of a request, in words for the person who sent it.
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

/// Every fault of an order at once.
public struct ValidationErrors: Error, Sendable, Equatable {
    /// Never empty.
    public let faults: [ValidationError]

    public init(_ faults: [ValidationError]) {
        self.faults = faults
    }
}
