public import PayrelayPrimitives

/// A signed request: one ordered structure, from which the signature was computed and the bytes are written.
///
/// Names ascend by byte at every level, in the JSON as in the signed text. FORT's documents leave open whether it sorts the
/// inner ones; so sent, it makes no difference.
public struct FortMessage: Hashable, Sendable, Redacted {
    public let command: FortCommand
    /// Every parameter as sent, `signature` among them. It holds the token and the customer's data.
    public let parameters: JSONObject

    /// Adds what the account knows and signs. Empty values are left out, because APS's own clients disagree on whether they
    /// are part of the signed text.
    public init(signing request: FortRequest, for account: FortAccount) {
        let ofAccount = [
            JSONObject.Member(name: "access_code", value: .string(account.accessCode)),
            JSONObject.Member(name: "merchant_identifier", value: .string(account.merchantIdentifier)),
        ]
        var members: [JSONObject.Member] = []
        members.reserveCapacity(request.parameters.members.count + 3)
        for member in request.parameters.members where !Self.addedNames.contains(member.name) && !member.isEmpty {
            members.append(member)
        }
        for member in ofAccount where !member.isEmpty { members.append(member) }
        // No value yet, and already a place among the others.
        members.append(JSONObject.Member(name: FortSignature.parameterName, value: .null))
        var sorted = JSONObject(distinct: members).sortedThroughout()
        let signature = FortSignature(ofSorted: sorted, phrase: account.requestPhrase, type: account.signatureType)
        sorted[FortSignature.parameterName] = .string(signature.hexadecimal)
        command = request.command
        parameters = sorted
    }

    /// A question that changes nothing and that FORT can answer by itself: CHECK_STATUS for an order that does not exist.
    ///
    /// - Throws: never: the reference is within FORT's limits.
    public static func probe(for account: FortAccount) throws(ValidationErrors) -> FortMessage {
        FortMessage(signing: try FortRequest(statusOf: "payrelay-probe"), for: account)
    }

    private static let addedNames = ["access_code", "merchant_identifier", FortSignature.parameterName]

    /// The body to send: JSON in ASCII, as APS's own clients send it, so that no guess at its charset can go wrong.
    public var body: [UInt8] { JSON.object(parameters).encodedInASCII() }

    public var description: String { "signed \(command.rawValue)" }
}

extension JSONObject.Member {
    fileprivate var isEmpty: Bool {
        switch value {
        case .null: true
        case .string(let text): text.isEmpty
        case .bool, .number, .array, .object: false
        }
    }
}

extension JSONObject {
    /// This object with the names ascending by byte, and those of the objects in it.
    fileprivate func sortedThroughout() -> JSONObject {
        var sorted = sortedByName()
        for member in sorted.members {
            switch member.value {
            case .object, .array: sorted[member.name] = member.value.sortedThroughout()
            case .null, .bool, .number, .string: break
            }
        }
        return sorted
    }
}

extension JSON {
    fileprivate func sortedThroughout() -> JSON {
        switch self {
        case .object(let object): .object(object.sortedThroughout())
        case .array(let elements): .array(elements.map { $0.sortedThroughout() })
        case .null, .bool, .number, .string: self
        }
    }
}
