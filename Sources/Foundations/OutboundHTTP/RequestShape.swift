import PayrelayPrimitives

/// The options that libcurl keeps from one request to the next with the same ones: method, URL and header fields,
/// checked.
final class RequestShape {
    let method: OutboundRequest.Method
    let url: AllowedURL
    let fields: RequestHeaderFields
    /// The URL as it was given; ``url`` is made from it, and ``fields`` from `headers`.
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
