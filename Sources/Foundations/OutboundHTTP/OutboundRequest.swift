/// One HTTP request to send.
public struct OutboundRequest: Sendable {
    /// The methods that gateways, Apple and merchants' servers take.
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    public var method: Method
    /// An absolute `https` URL. Plain `http` is refused unless the host is a loopback address.
    public var url: String
    /// The header fields in the order they are sent, after `Host` and `Accept: */*`, which are added where absent.
    /// `Content-Length` follows from the body and cannot be set.
    public var headers: [(name: String, value: String)]
    /// The body, sent unchanged. A GET has none.
    public var body: [UInt8]
    /// How long name look-up, TCP connect and TLS handshake may take together.
    public var connectTimeout: Duration
    /// How long the whole exchange may take, connecting included.
    public var timeout: Duration
    /// The most bytes, header fields and body together, that the answer may have.
    public var answerLimit: Int

    public init(
        method: Method = .post, url: String, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
        connectTimeout: Duration = .seconds(5), timeout: Duration = .seconds(30), answerLimit: Int = 1 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.connectTimeout = connectTimeout
        self.timeout = timeout
        self.answerLimit = answerLimit
    }
}

extension OutboundRequest {
    /// Whether requests to this URL are sent: it is absolute, and `https`, or plain `http` to a loopback address.
    public static func takes(url: String) -> Bool {
        (try? AllowedURL(url)) != nil
    }
}
