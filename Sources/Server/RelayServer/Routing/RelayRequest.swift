public import AccessControl
public import HTTPTypes
public import Logging
public import NIOCore
public import PayrelayPrimitives

/// A request to a route, with its whole body and its sender.
public struct RelayRequest: Sendable {
    public let head: HTTPRequest
    public let body: ByteBuffer
    /// The parameter of the path, as it was sent; empty if the route has none.
    public let pathParameter: String
    /// The authenticated sender; `nil` if the route accepts requests without authentication.
    let sender: AuthenticatedSender?
    /// The client's address, without a port: the address of the peer, or the address that a trusted proxy
    /// reports.
    public let clientAddress: String?
    /// The identifier, which is also in the response and in the log.
    public let identifier: String
    /// Held by work that continues after the response.
    let underWay: RequestUnderWay
    /// The event loop of the request's connection.
    let executor: (any TaskExecutor)?
    let baseLogger: Logger

    /// The authenticated client; `nil` if clients do not authenticate.
    public var client: AuthenticatedClient? { sender?.client }

    /// A logger whose lines have the identifier.
    public var logger: Logger { RequestLog.logger(baseLogger, for: identifier) }

    public var bytes: [UInt8] { Array(body.readableBytesView) }

    /// Returns the body as JSON.
    ///
    /// - Parameter empty: the value if there is no body; `nil` if a body is required.
    /// - Throws: ``Problem`` 415 if the media type is not JSON, 400 if the body is not JSON.
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

    /// Returns the `Idempotency-Key` header field; `nil` if it was not sent.
    func idempotencyKey() throws(Problem) -> String? {
        guard let key = head.headerFields[.idempotencyKey] else { return nil }
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalidFields([
                ValidationError(field: "Idempotency-Key", detail: "must be 1 to 255 visible ASCII characters")
            ])
        }
        return key
    }

    /// Whether the media type is `application/json`, with any parameters.
    private static func isJSON(_ mediaType: String) -> Bool {
        if mediaType == "application/json" { return true }
        return mediaType.cut(at: ";").before.trimmedOfSpaces.isSame(ignoringCaseOf: "application/json")
    }
}

extension JSONFieldReader {
    /// Creates a reader of a body's members.
    ///
    /// - Throws: 400 if the body is not an object.
    public init(body json: JSON) throws(Problem) {
        guard let object = json.objectValue else {
            throw .notJSON("The body must be an object, not \(json.kind).")
        }
        self.init(object)
    }
}
