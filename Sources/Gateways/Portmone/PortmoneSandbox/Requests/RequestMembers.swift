import PayrelayPrimitives

/// The validated members of a request's data: none is missing or unknown, and each is a text or number within its
/// limits.
struct RequestMembers {
    /// The members' texts. Numbers are kept as they were written.
    let texts: [String: String]

    /// The maximum length of a member's text in bytes.
    private static let limit = 255

    /// Validates the members.
    ///
    /// - Parameters:
    ///   - required: the members that must be present and not empty.
    ///   - objects: the members that may have any value. They are not added to ``texts``.
    /// - Throws: the first error, in the order of `required` and then of the request.
    init(
        _ data: JSONObject, required: [String], optional: [String] = [], objects: [String] = []
    ) throws(GatewayError) {
        for name in required where data[name] == nil || data[name] == .null || data[name] == "" {
            throw .missing(name)
        }
        var texts: [String: String] = [:]
        for member in data.members where !objects.contains(member.name) {
            guard required.contains(member.name) || optional.contains(member.name) else {
                throw .unexpected(member.name.beginning(64))
            }
            switch member.value {
            case .string(""), .null: break
            case .string(let text), .number(let text):
                guard text.utf8.count <= Self.limit, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
                    throw .invalid(member.name)
                }
                texts[member.name] = text
            case .bool, .array, .object: throw .invalid(member.name)
            }
        }
        self.texts = texts
    }

    subscript(name: String) -> String? { texts[name] }

    /// Returns the order's number, which is a text or a whole number; `nil` if it is absent.
    func shopOrderNumber(in data: JSONObject) throws(GatewayError) -> String? {
        guard let text = texts["shopOrderNumber"] else { return nil }
        if case .number? = data["shopOrderNumber"], !text.utf8.allSatisfy(\.isASCIIDigit) {
            throw .invalid("shopOrderNumber")
        }
        return text
    }
}
