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
    /// The same as Hummingbird has it.
    init(_ whole: WholeResponse) {
        self.init(
            status: whole.head.status, headers: whole.head.headerFields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: whole.body)))
    }
}
