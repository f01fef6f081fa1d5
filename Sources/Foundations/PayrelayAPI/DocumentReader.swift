import PayrelayPrimitives

/// Why a body is not one of the API's documents.
public enum DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The body is not a JSON object.
    case noJSON
    /// A required member is missing or invalid. The associated value is its name.
    case missing(String)
    /// An optional member is invalid. The associated value is its name.
    case invalid(String)

    public var description: String {
        switch self {
        case .noJSON: "is not a JSON object"
        case .missing(let name): "has no valid \(name)"
        case .invalid(let name): "has an invalid \(name)"
        }
    }
}

/// Reads the members of a document by name. A word from a list in the API is kept as text even if it is unknown,
/// because a later version may have more words (docs/versions.md). A member of another type is an error, because
/// a proxy or a captive portal may have answered instead of the relay.
struct DocumentReader {
    let object: JSONObject

    init(parsing body: [UInt8]) throws(DocumentError) {
        guard let json = try? JSON(parsing: body) else { throw .noJSON }
        try self.init(json)
    }

    init(_ json: JSON) throws(DocumentError) {
        guard let object = json.objectValue else { throw .noJSON }
        self.object = object
    }

    func text(_ name: String) throws(DocumentError) -> String {
        guard let text = object[name]?.stringValue else { throw .missing(name) }
        return text
    }

    func amount(_ name: String) throws(DocumentError) -> MinorUnits {
        guard let amount = try optionalAmount(name) else { throw .missing(name) }
        return amount
    }

    func optionalText(_ name: String) throws(DocumentError) -> String? {
        guard let value = object[name] else { return nil }
        guard let text = value.stringValue else { throw .invalid(name) }
        return text
    }

    func optionalAmount(_ name: String) throws(DocumentError) -> MinorUnits? {
        guard let value = object[name] else { return nil }
        guard case .number(let digits) = value, let amount = MinorUnits(parsing: digits) else { throw .invalid(name) }
        return amount
    }

    func optionalCount(_ name: String) throws(DocumentError) -> Int? {
        object[name] == nil ? nil : try integer(name)
    }

    func integer(_ name: String) throws(DocumentError) -> Int {
        guard let value = object[name] else { throw .missing(name) }
        guard case .number(let digits) = value, let integer = Int(digits) else { throw .invalid(name) }
        return integer
    }

    func flag(_ name: String) throws(DocumentError) -> Bool {
        switch object[name] {
        case nil: false
        case .bool(let truth): truth
        default: throw .invalid(name)
        }
    }

    /// Returns a list of texts; empty if the member is absent.
    func texts(_ name: String) throws(DocumentError) -> [String] {
        try (list(name) ?? []).map { json throws(DocumentError) in
            guard let text = json.stringValue else { throw .invalid(name) }
            return text
        }
    }

    func list(_ name: String) throws(DocumentError) -> [JSON]? {
        guard let value = object[name] else { return nil }
        guard let list = value.arrayValue else { throw .invalid(name) }
        return list
    }
}
