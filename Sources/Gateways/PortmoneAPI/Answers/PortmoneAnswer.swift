public import PayrelayPrimitives

/// Portmone's answer to a request, in any of the shapes that its methods have: an object with `result`, an array of
/// objects, an object, an object with `errorCode` or `error`, nothing.
///
/// It is read strictly and proves nothing by itself; see ``PaymentIdentity``.
public struct PortmoneAnswer: Hashable, Sendable, Redacted {
    public enum Content: Hashable, Sendable {
        /// No body, or an object in which nothing counts.
        case nothing
        /// Empty where the answer is an empty array: Portmone knows no such bill.
        case entries([PortmoneEntry])
        /// An error, and no bill.
        case failure(PortmoneFailure, PortmoneEntry)
    }

    public let content: Content

    /// In bytes: some hundred entries with every published member.
    public static let sizeLimit = 262_144
    /// How many entries an answer may have.
    public static let entryLimit = 200
    private static let depthLimit = 6

    /// - Parameter body: as it arrived, with HTTP status 200.
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

    /// - Parameter envelope: the object that has it.
    private static func content(_ result: JSON, in envelope: JSONObject) throws(PortmoneAnswerError) -> Content {
        for member in envelope.members where member.name != "result" {
            guard member.name.replacingEach("_", with: "").lowercasedASCII != "result" else {
                throw .ambiguous(name: "result")
            }
            switch PortmoneEntry.Name(spelled: member.name) {
            case nil, .errorCode, .error, .errorMessage: continue
            // Beside the bill that `result` has there would be a second one.
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

    /// The error of an entry that tells of no bill.
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

/// Why an answer cannot be read. The outcome is then unknown, whatever the answer says.
public enum PortmoneAnswerError: Error, Equatable, Sendable, CustomStringConvertible {
    case httpStatus(Int)
    case tooLarge
    case notJSON(JSONError)
    /// It is neither an object nor an array of objects.
    case notAnObject
    /// The value of a member that counts is no text and no number, or a long one.
    case malformed(name: String)
    /// A member that counts stands there twice, with two values.
    case ambiguous(name: String)
    /// It answers another request.
    case foreign(name: String)

    public var description: String {
        switch self {
        case .httpStatus(let status): "the HTTP status is \(status)"
        case .tooLarge: "it is too large"
        case .notJSON(let error): "it is not JSON: \(error)"
        case .notAnObject: "it is neither an object nor an array of objects"
        case .malformed(let name): "its \(name) is no short text and no number"
        case .ambiguous(let name): "its \(name) says two things"
        case .foreign(let name): "its \(name) is not that of the request"
        }
    }
}
