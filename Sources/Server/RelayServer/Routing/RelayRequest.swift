public import AccessControl
public import HTTPTypes
public import Logging
public import NIOCore
public import PayrelayPrimitives

/// A request to a route, with its whole body, and what is known of who sent it.
public struct RelayRequest: Sendable {
    public let head: HTTPRequest
    public let body: ByteBuffer
    /// The parameter of the path, as it was written; empty if the route has none.
    public let pathParameter: String
    /// Who is authorized for the route; `nil` if the route takes requests without authentication.
    let sender: AuthenticatedSender?
    /// The client's address, without a port: the peer's, or the one that a trusted proxy reports.
    public let clientAddress: String?
    /// The response and the log have it too.
    public let identifier: String
    /// To be held by what goes on for it after its response.
    let underWay: RequestUnderWay
    /// The event loop of its connection.
    let executor: (any TaskExecutor)?
    let baseLogger: Logger

    /// The client that is authorized for the route; `nil` if clients do not authenticate.
    public var client: AuthenticatedClient? { sender?.client }

    /// With the identifier.
    public var logger: Logger { RequestLog.logger(baseLogger, for: identifier) }

    public var bytes: [UInt8] { Array(body.readableBytesView) }

    /// The body as JSON.
    ///
    /// - Parameter empty: what no body at all stands for; nil where there must be one.
    /// - Throws: ``Problem`` 415 where the media type is another, 400 where it is not JSON.
    public func json(orEmpty empty: JSON? = nil) throws(Problem) -> JSON {
        let mediaTypes = head.headerFields[values: .contentType]
        guard mediaTypes.count <= 1, mediaTypes.allSatisfy(Self.isJSON) else { throw Problem.notJSONMediaType }
        if let empty, body.readableBytes == 0 { return empty }
        guard !mediaTypes.isEmpty else { throw Problem.notJSONMediaType }
        do throws(JSONError) {
            return try JSON(parsing: bytes)
        } catch {
            throw Problem.notJSON("The body is not valid JSON: \(error).")
        }
    }

    /// The `Idempotency-Key` header, where it was sent.
    func idempotencyKey() throws(Problem) -> String? {
        guard let key = head.headerFields[.idempotencyKey] else { return nil }
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalidFields([
                ValidationError(field: "Idempotency-Key", detail: "must be 1 to 255 visible ASCII characters")
            ])
        }
        return key
    }

    /// `application/json`, whatever parameters follow.
    private static func isJSON(_ mediaType: String) -> Bool {
        if mediaType == "application/json" { return true }
        return mediaType.cut(at: ";").before.trimmedOfSpaces.isSame(ignoringCaseOf: "application/json")
    }
}

extension JSONFieldReader {
    /// A reader of a body's members.
    ///
    /// - Throws: 400 where the body is no object.
    public init(body json: JSON) throws(Problem) {
        guard let object = json.objectValue else {
            throw .notJSON("The body must be an object, not \(json.kind).")
        }
        self.init(object)
    }
}
