public import Hummingbird
import NIOCore
public import Primitives

extension Response {
    /// A response whose body is JSON, already written.
    public init(json bytes: [UInt8], status: HTTPResponse.Status, mediaType: String = "application/json") {
        self.init(
            status: status, headers: [.contentType: mediaType], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    /// A response whose body is this JSON.
    public init(json: JSON, status: HTTPResponse.Status = .ok) {
        self.init(json: json.encoded(), status: status)
    }
}
