import PayrelayPrimitives

/// An error of the API (`Problem` in openapi.yaml; RFC 9457).
public struct ProblemDocument: Sendable, Equatable {
    /// What stands before the slug in `type`.
    public static let typePrefix = "urn:payrelay:problem:"

    /// The kind of problem, by its stable name. nil where `type` is missing.
    public let slug: String?
    /// What is wrong this time; nil where it is missing.
    public let detail: String?

    /// - Parameter body: the answer's bytes.
    /// - Throws: ``DocumentError/noJSON``. Members may be missing: a proxy may have answered in the relay's place.
    public init(parsing body: [UInt8]) throws(DocumentError) {
        guard let json = try? JSON(parsing: body) else { throw .noJSON }
        slug = json["type"]?.stringValue.map { type in
            type.hasPrefix(Self.typePrefix) ? String(type.dropFirst(Self.typePrefix.count)) : type
        }
        detail = json["detail"]?.stringValue
    }
}
