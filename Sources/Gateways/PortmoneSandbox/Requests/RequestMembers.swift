import PayrelayPrimitives

/// The members of a request's data, once none is missing, none does not belong, and each is a text or a number within bounds.
struct RequestMembers {
    /// Strings, and numbers as they were written.
    let texts: [String: String]

    /// The longest text of a member, in bytes.
    private static let limit = 255

    /// - Parameters:
    ///   - required: must be there and not be empty.
    ///   - objects: names of members that may be anything, and are not among the texts.
    /// - Throws: the first error, in the order of the lists and then of the request.
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

    /// An order's number: a text, or a whole number.
    func shopOrderNumber(in data: JSONObject) throws(GatewayError) -> String? {
        guard let text = texts["shopOrderNumber"] else { return nil }
        if case .number? = data["shopOrderNumber"], !text.utf8.allSatisfy(\.isASCIIDigit) {
            throw .invalid("shopOrderNumber")
        }
        return text
    }
}
