public import PayrelayPrimitives

/// An error of the API (`Problem` in openapi.yaml; RFC 9457).
public struct ProblemDocument: Sendable, Hashable {
    /// What stands before the kind's name in `type`.
    public static let typePrefix = "urn:payrelay:problem:"

    /// The kind of problem.
    public let kind: ProblemKind
    /// The kind in words that do not change.
    public let title: String
    /// The HTTP status.
    public let status: Int
    /// What is wrong this time. It repeats no value of the request.
    public let detail: String
    /// The token check that refused, by name, where one did.
    public let check: String?
    /// Every invalid field, where fields are.
    public let errors: [ValidationError]

    /// A problem of these members.
    public init(
        kind: ProblemKind, title: String, status: Int, detail: String, check: String? = nil,
        errors: [ValidationError] = []
    ) {
        self.kind = kind
        self.title = title
        self.status = status
        self.detail = detail
        self.check = check
        self.errors = errors
    }

    /// - Parameter body: the answer's bytes.
    /// - Throws: ``DocumentError``, also where a proxy answered in the relay's place.
    public init(parsing body: [UInt8]) throws(DocumentError) {
        let members = try DocumentReader(parsing: body)
        let type = try members.text("type")
        guard let kind = type.after(Self.typePrefix) else { throw .missing("type") }
        guard case .number(let digits)? = members.object["status"], let status = Int(digits) else {
            throw .missing("status")
        }
        self.init(
            kind: ProblemKind(rawValue: String(kind)),
            title: try members.text("title"), status: status, detail: try members.text("detail"),
            check: try members.optionalText("check"),
            errors: try (members.list("errors") ?? []).map { json throws(DocumentError) in
                let error = try DocumentReader(json)
                return ValidationError(field: try error.text("field"), detail: try error.text("detail"))
            })
    }

    /// The document as the relay writes it.
    public var json: JSON {
        var json: JSONObject = [
            "type": .string(Self.typePrefix + kind.rawValue),
            "title": .string(title),
            "status": JSON(status),
            "detail": .string(detail),
        ]
        json["check"] = check.map { .string($0) }
        if !errors.isEmpty { json["errors"] = errors.json }
        return .object(json)
    }
}
