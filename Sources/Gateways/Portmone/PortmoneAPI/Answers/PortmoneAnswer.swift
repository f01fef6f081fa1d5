public import PayrelayPrimitives

/// Portmone's answer to a request, in any shape that Portmone's methods use: an object with `result`, an array of
/// objects, an object, an object with `errorCode` or `error`, or an empty body.
///
/// The answer is parsed strictly. It proves nothing by itself; see ``PaymentIdentity``.
public struct PortmoneAnswer: Hashable, Sendable, Redacted {
    public enum Content: Hashable, Sendable {
        /// The body is empty, or an object without any member that is evaluated.
        case nothing
        /// The entries of the answer. If the answer is an empty array, there are no entries: Portmone knows no
        /// such bill.
        case entries([PortmoneEntry])
        /// An error without a bill.
        case failure(PortmoneFailure, PortmoneEntry)
    }

    public let content: Content

    /// The maximum size of an answer in bytes: some hundred entries with every published member.
    public static let sizeLimit = 262_144
    /// The maximum number of entries in an answer.
    public static let entryLimit = 200
    private static let depthLimit = 6

    /// Parses an answer.
    ///
    /// - Parameter body: the body as it arrived, with HTTP status 200.
    /// - Throws: ``PortmoneAnswerError``.
    public init(reading body: [UInt8]) throws(PortmoneAnswerError) {
        guard !body.isEmpty else {
            content = .nothing
            return
        }
        guard body.count <= Self.sizeLimit else { throw .tooLarge }
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: body, depthLimit: Self.depthLimit)
        } catch {
            throw .notJSON(error)
        }
        if let object = json.objectValue, let result = object["result"] {
            content = try Self.content(result, in: object)
        } else {
            content = try Self.content(json)
        }
    }

    /// - Parameter envelope: the object that contains `result`.
    private static func content(_ result: JSON, in envelope: JSONObject) throws(PortmoneAnswerError) -> Content {
        for member in envelope.members where member.name != "result" {
            guard member.name.replacingEach("_", with: "").lowercasedASCII != "result" else {
                throw .ambiguous(name: "result")
            }
            switch PortmoneEntry.Name(spelled: member.name) {
            case nil, .errorCode, .error, .errorMessage: continue
            // A member about a bill beside `result` would be a second bill.
            default: throw .ambiguous(name: member.name.beginning(64))
            }
        }
        switch envelope["id"] {
        case nil, .null, .string("1"), .number("1"): break
        default: throw .foreign(name: "id")
        }
        let beside = try PortmoneEntry(envelope.filter { $0.name != "result" && $0.name != "id" })
        guard let failure = beside.failure else {
            return result == .null || result == "" ? .nothing : try content(result)
        }
        guard [.null, "", .object([:]), .array([])].contains(result) else { throw .ambiguous(name: "errorCode") }
        return .failure(failure, beside)
    }

    private static func content(_ json: JSON) throws(PortmoneAnswerError) -> Content {
        switch json {
        case .array(let elements):
            guard elements.count <= entryLimit else { throw .tooLarge }
            var entries: [PortmoneEntry] = []
            for element in elements {
                guard let object = element.objectValue else { throw .notAnObject }
                entries.append(try PortmoneEntry(object))
            }
            if entries.count == 1, let failure = failureAlone(entries[0]) { return .failure(failure, entries[0]) }
            return .entries(entries)
        case .object(let object):
            let entry = try PortmoneEntry(object)
            if entry.isBlank { return .nothing }
            return failureAlone(entry).map { .failure($0, entry) } ?? .entries([entry])
        case .null, .bool, .number, .string: throw .notAnObject
        }
    }

    /// Returns the error of an entry that is not about a bill; `nil` if the entry is about a bill or has no
    /// error.
    private static func failureAlone(_ entry: PortmoneEntry) -> PortmoneFailure? {
        guard entry.statusText == nil, entry.shopBillID == nil else { return nil }
        if let failure = entry.failure { return failure }
        guard entry[.errorCode] == nil, let text = entry[.error] else { return nil }
        return PortmoneFailure(code: "", text: text)
    }

    public var description: String {
        switch content {
        case .nothing: "empty answer"
        case .entries(let entries): "answer with \(entries.count) entries"
        case .failure(let failure, _): "answer: \(failure)"
        }
    }
}

/// The reason why an answer cannot be read. The outcome is then unknown, whatever the answer says.
public enum PortmoneAnswerError: Error, Equatable, Sendable, CustomStringConvertible {
    case httpStatus(Int)
    case tooLarge
    case notJSON(JSONError)
    /// The answer is neither an object nor an array of objects.
    case notAnObject
    /// The value of an evaluated member is neither text nor a number, or is too long.
    case malformed(name: String)
    /// An evaluated member occurs twice with different values, or beside a member that excludes it.
    case ambiguous(name: String)
    /// The answer belongs to another request.
    case foreign(name: String)

    public var description: String {
        switch self {
        case .httpStatus(let status): "the HTTP status is \(status)"
        case .tooLarge: "it is too large"
        case .notJSON(let error): "it is not JSON: \(error)"
        case .notAnObject: "it is neither an object nor an array of objects"
        case .malformed(let name): "its \(name) is neither a short text nor a number"
        case .ambiguous(let name): "its \(name) says two things"
        case .foreign(let name): "its \(name) is not that of the request"
        }
    }
}
