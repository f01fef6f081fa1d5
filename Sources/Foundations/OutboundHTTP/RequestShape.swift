import PayrelayPrimitives

/// What libcurl is told once for many requests: method, URL and header fields, checked. A handle keeps these options for the next
/// request that has the same ones.
final class RequestShape {
    let method: OutboundRequest.Method
    let url: AllowedURL
    let fields: RequestHeaderFields
    /// As they were given. The others were made from these.
    private let text: String
    private let headers: [(name: String, value: String)]

    /// - Throws: ``NotSent`` where the URL or a header field is not one that may be sent.
    init(of request: OutboundRequest) throws(NotSent) {
        method = request.method
        text = request.url
        headers = request.headers
        url = try AllowedURL(text)
        fields = try RequestHeaderFields(headers)
    }

    /// Whether the request has this method, this URL and these header fields, byte by byte.
    func serves(_ request: OutboundRequest) -> Bool {
        method == request.method && text.isExactly(request.url) && headers.count == request.headers.count
            && zip(headers, request.headers).allSatisfy {
                $0.name.isExactly($1.name) && $0.value.isExactly($1.value)
            }
    }
}
