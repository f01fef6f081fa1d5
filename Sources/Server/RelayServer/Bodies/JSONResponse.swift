public import HTTPListener
public import HTTPTypes
import Hummingbird
import NIOCore
public import PayrelayPrimitives

extension WholeResponse {
    /// A response whose body is JSON, already written.
    public init(json bytes: [UInt8], status: HTTPResponse.Status = .ok, mediaType: String = "application/json") {
        self.init(head: HTTPResponse(status: status, headerFields: [.contentType: mediaType]), body: bytes)
    }

    /// A response whose body is this JSON.
    public init(json: JSON, status: HTTPResponse.Status = .ok) {
        self.init(json: json.encoded(), status: status)
    }
}

extension Response {
    /// Returns Hummingbird's form of the response.
    init(_ whole: WholeResponse) {
        self.init(
            status: whole.head.status, headers: whole.head.headerFields, body: ResponseBody(byteBuffer: whole.buffer))
        // Hummingbird adds the length of the empty body, which is not that of the resource (RFC 9110, 8.6).
        if status == .notModified { headers[.contentLength] = nil }
    }

    /// Returns the response to HEAD: the same header without the body (RFC 9110, 9.3.2), and without the length of an empty one.
    func withoutBody() -> Response {
        var response = createHeadResponse()
        response.headers[.contentLength] = headers[.contentLength]
        return response
    }
}
