public import HTTPListener
public import HTTPTypes
public import PayrelayPrimitives

extension Answer {
    /// Creates a response whose body is JSON that is already encoded.
    public init(json bytes: [UInt8], status: HTTPResponse.Status = .ok, mediaType: String = "application/json") {
        self.init(head: HTTPResponse(status: status, headerFields: [.contentType: mediaType]), body: bytes)
    }

    /// Creates a response whose body is the given JSON.
    public init(json: JSON, status: HTTPResponse.Status = .ok) {
        self.init(json: json.encoded(), status: status)
    }
}
