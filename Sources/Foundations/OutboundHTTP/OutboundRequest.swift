/// An HTTP request to send.
public struct OutboundRequest: Sendable {
    /// The methods that gateways, Apple and merchants' servers accept.
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    public var method: Method
    /// The URL: absolute, with `https`. Plain `http` is rejected unless the host is a loopback address.
    public var url: String
    /// The header fields in the order in which they are sent, after `Host` and `Accept: */*`, which are added if
    /// they are absent. `Content-Length` is derived from the body and cannot be set.
    public var headers: [(name: String, value: String)]
    /// The body, which is sent unchanged. A GET has none.
    public var body: [UInt8]
    /// The time limit for the DNS lookup, the TCP connection and the TLS handshake together.
    public var connectTimeout: Duration
    /// The time limit for the whole exchange, including the connection.
    public var timeout: Duration
    /// The maximum size of the response, in bytes of its header fields and body together.
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
    /// Returns whether requests are sent to this URL: it is absolute, and is `https`, or plain `http` to a
    /// loopback address.
    public static func takes(url: String) -> Bool {
        (try? AllowedURL(url)) != nil
    }
}
