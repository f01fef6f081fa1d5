import PayrelayPrimitives

/// The validated members of a call's body: each member belongs to the call, and every text is within its limit.
struct SandboxRequest {
    private let object: JSONObject

    /// The maximum length of a text in bytes of UTF-8.
    private static let longestText = 128

    /// - Throws: 2100 if the body is not a valid request.
    init(_ call: SandboxCall, _ body: [UInt8]) throws(SandboxError) {
        guard let object = (try? JSON(parsing: body, depthLimit: 2))?.objectValue else {
            throw SandboxError(2100, "the body is not a JSON object")
        }
        for member in object.members {
            guard call.fields.contains(member.name) || (member.name.isExactly("session") && call != .authorize) else {
                throw SandboxError(2100, "a field is not one of \(call)")
            }
            switch member.value {
            case .string(let text) where text.utf8.count <= Self.longestText: break
            case .string: throw SandboxError(2100, "\(member.name) is longer than \(Self.longestText) bytes")
            case .number where member.name.isExactly("billAmount"): break
            default: throw SandboxError(2100, "\(member.name) must be a string")
            }
        }
        self.object = object
    }

    /// Returns a text; empty if it is absent.
    func text(_ name: String) -> String { object[name]?.stringValue ?? "" }

    /// Returns a text; `nil` if it is absent or empty.
    func optional(_ name: String) -> String? {
        let text = text(name)
        return text.isEmpty ? nil : text
    }

    /// Returns the amount.
    ///
    /// - Throws: 2004 if the amount is not a whole number of kopecks.
    func amount() throws(SandboxError) -> MinorUnits {
        guard case .number(let digits)? = object["billAmount"], let amount = MinorUnits(parsing: digits) else {
            throw SandboxError(2004)
        }
        return amount
    }
}
