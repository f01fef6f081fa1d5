public import PayrelayPrimitives

/// A signed request. The signature is computed from one ordered structure, and the body is written from the same
/// structure.
///
/// Names ascend by byte at every level, in the JSON and in the signed text. FORT's documents do not say whether
/// FORT sorts inner names. In this order, sorting changes nothing.
public struct FortMessage: Hashable, Sendable, Redacted {
    public let command: FortCommand
    /// Every parameter as it is sent, including `signature`. The parameters contain the token and the customer's
    /// data.
    public let parameters: JSONObject

    /// Adds the account's parameters and signs the request. Empty values are left out, because APS's own clients
    /// disagree on whether they belong to the signed text.
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
        // A placeholder keeps the place of the signature among the sorted names.
        members.append(JSONObject.Member(name: FortSignature.parameterName, value: .null))
        var sorted = JSONObject(distinct: members).sortedThroughout()
        let signature = FortSignature(ofSorted: sorted, phrase: account.requestPhrase, type: account.signatureType)
        sorted[FortSignature.parameterName] = .string(signature.hexadecimal)
        command = request.command
        parameters = sorted
    }

    /// Returns a query that FORT can answer without an acquirer: CHECK_STATUS about an order that does not exist.
    /// It changes nothing.
    ///
    /// - Throws: never, because the reference is within FORT's limits.
    public static func probe(for account: FortAccount) throws(ValidationErrors) -> FortMessage {
        FortMessage(signing: try FortRequest(statusOf: "payrelay-probe"), for: account)
    }

    private static let addedNames = ["access_code", "merchant_identifier", FortSignature.parameterName]

    /// The body to send: JSON in ASCII, as APS's clients send it, so that no guess about the charset can be
    /// wrong.
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
    /// Returns the object with its names, and those of the objects in it, ascending by byte.
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
