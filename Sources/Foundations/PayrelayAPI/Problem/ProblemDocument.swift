public import PayrelayPrimitives

/// An error of the API (`Problem` in openapi.yaml; RFC 9457).
///
/// ```swift
/// let problem = try ProblemDocument(parsing: body)
/// print(problem.status, problem.name, problem.detail)  // 409 in-flight The same request has no response yet. …
/// ```
public struct ProblemDocument: Sendable, Hashable {
    /// The prefix of `type`, which precedes the kind's name.
    public static let typePrefix = "urn:payrelay:problem:"

    /// The kind's name, which follows the prefix in `type`.
    public let name: String
    /// The kind in words for people.
    public let title: String
    /// The HTTP status.
    public let status: Int
    /// The explanation of this occurrence (RFC 9457, 3.1.4). It never repeats a value of the request.
    public let detail: String
    /// The name of the token check that failed; `nil` if none did.
    public let check: String?
    /// All invalid fields; empty if there are none.
    public let errors: [ValidationError]

    /// The kind; `nil` if a newer relay responds with a kind that ``ProblemKind`` does not have. Use ``status``
    /// in that case.
    public var kind: ProblemKind? { ProblemKind(rawValue: name) }

    /// Creates a problem of a kind, with its title and status.
    public init(_ kind: ProblemKind, _ detail: String, check: String? = nil, errors: [ValidationError] = []) {
        name = kind.rawValue
        title = kind.title
        status = kind.status
        self.detail = detail
        self.check = check
        self.errors = errors
    }

    /// Creates a problem with the given members, for example for a test. ``init(_:_:check:errors:)`` takes the
    /// title and the status from the kind.
    public init(
        name: String, title: String, status: Int, detail: String, check: String? = nil, errors: [ValidationError] = []
    ) {
        self.name = name
        self.title = title
        self.status = status
        self.detail = detail
        self.check = check
        self.errors = errors
    }

    /// - Parameter body: the bytes of the response.
    /// - Throws: ``DocumentError``, also if a proxy answered instead of the relay.
    public init(parsing body: [UInt8]) throws(DocumentError) {
        let members = try DocumentReader(parsing: body)
        let type = try members.text("type")
        guard let name = type.after(Self.typePrefix) else { throw .missing("type") }
        guard case .number(let digits)? = members.object["status"], let status = Int(digits) else {
            throw .missing("status")
        }
        self.name = String(name)
        self.status = status
        title = try members.text("title")
        detail = try members.text("detail")
        check = try members.optionalText("check")
        errors = try (members.list("errors") ?? []).map { json throws(DocumentError) in
            let error = try DocumentReader(json)
            return ValidationError(field: try error.text("field"), detail: try error.text("detail"))
        }
    }

    /// The document as the relay writes it.
    public var json: JSON {
        var json: JSONObject = [
            "type": .string(Self.typePrefix + name),
            "title": .string(title),
            "status": JSON(status),
            "detail": .string(detail),
        ]
        json["check"] = check.map { .string($0) }
        if !errors.isEmpty { json["errors"] = errors.json }
        return .object(json)
    }
}
