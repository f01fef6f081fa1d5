public import HTTPListener
public import HTTPTypes
public import PayrelayPrimitives

extension Answer {
    /// An answer whose body is JSON, already written.
    public init(json bytes: [UInt8], status: HTTPResponse.Status = .ok, mediaType: String = "application/json") {
        self.init(head: HTTPResponse(status: status, headerFields: [.contentType: mediaType]), body: bytes)
    }

    /// An answer whose body is this JSON.
    public init(json: JSON, status: HTTPResponse.Status = .ok) {
        self.init(json: json.encoded(), status: status)
    }
}
