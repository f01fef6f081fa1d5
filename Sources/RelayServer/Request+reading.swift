import HTTPListener
import HTTPTypes
public import Hummingbird
import NIOCore
public import Primitives
import PaymentRelay

extension Request {
    /// Reads the whole body as JSON.
    ///
    /// - Parameter limit: in bytes; what goes beyond is not kept.
    /// - Throws: ``Problem`` 415 where the media type is another, 413 beyond the limit, 400 where it ends too early or is not JSON.
    ///
    /// - Parameter empty: what no body at all stands for; nil where there must be one.
    public func readJSON(limit: Int, orEmpty empty: JSON? = nil) async throws -> JSON {
        let mediaType = headers[.contentType]
        guard mediaType.map(Self.isJSON) ?? (empty != nil) else { throw Problem.notJSONMediaType }
        let bytes = try await readBody(limit: limit)
        if let empty, bytes.isEmpty { return empty }
        guard mediaType != nil else { throw Problem.notJSONMediaType }
        do throws(JSONError) {
            return try JSON(parsing: bytes)
        } catch {
            throw Problem.notJSON("The body is not valid JSON: \(error).")
        }
    }

    /// The request with its whole body, which is there then.
    ///
    /// - Parameter limit: in bytes; nil for a request whose body is not looked at.
    /// - Throws: ``Problem`` 415 where the body is encoded, 413 beyond the limit, 400 where the body ends too early.
    func withWholeBody(limit: Int?, in context: RelayRequestContext) async throws -> Request {
        var request = self
        guard let limit else {
            request.body = RequestBody(buffer: ByteBuffer())
            return request
        }
        let encodings = headers[values: .contentEncoding].flatMap { $0.split(separator: ",") }.map(\.trimmed)
        guard encodings.allSatisfy({ $0.lowercased() == "identity" }) else { throw Problem.contentEncoded }
        if let length = headers[.contentLength], (Int(Substring(length).trimmed) ?? .max) > limit {
            throw Problem.bodyTooLarge(limit: limit)
        }
        if headers[.expect] != nil { context.sendContinue() }
        request.body = RequestBody(buffer: try await collectBody(limit: limit))
        return request
    }

    /// - Throws: ``Problem`` 413 beyond the limit, which is in bytes; 400 where the body ends too early.
    public func readBody(limit: Int) async throws -> [UInt8] {
        Array(try await collectBody(limit: limit).readableBytesView)
    }

    private func collectBody(limit: Int) async throws -> ByteBuffer {
        do {
            return try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw Problem.bodyTooLarge(limit: limit)
        } catch {
            throw Problem.incompleteBody
        }
    }

    /// The `Idempotency-Key` header, where it was sent.
    func idempotencyKey() throws(Problem) -> String? {
        guard let key = headers[.idempotencyKey] else { return nil }
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalidFields([
                ValidationError(field: "Idempotency-Key", detail: "must be 1 to 255 visible ASCII characters")
            ])
        }
        return key
    }

    /// `application/json`, whatever parameters follow.
    private static func isJSON(_ mediaType: String) -> Bool {
        let essence = mediaType.prefix { $0 != ";" }.lowercased().trimmingSuffix { $0 == " " || $0 == "\t" }
        return essence == "application/json"
    }
}

extension JSONFieldReader {
    /// A reader of a body's members.
    ///
    /// - Throws: 400 where the body is no object.
    init(body json: JSON) throws(Problem) {
        guard let object = json.objectValue else {
            throw .notJSON("The body must be an object, not \(json.kind).")
        }
        self.init(object)
    }
}

extension String {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
        var end = endIndex
        while end > startIndex, isTrimmed(self[index(before: end)]) { end = index(before: end) }
        return self[..<end]
    }
}
