import PayrelayPrimitives

/// The parts of a request whose options libcurl keeps for the next request if they are the same: the method, the
/// URL and the header fields, all of them checked.
final class RequestShape {
    let method: OutboundRequest.Method
    let url: AllowedURL
    let fields: RequestHeaderFields
    /// The URL as it was given. ``url`` is made from it, and ``fields`` from `headers`.
    private let text: String
    private let headers: [(name: String, value: String)]

    /// - Throws: ``NotSent`` if the URL or a header field may not be sent.
    init(of request: OutboundRequest) throws(NotSent) {
        method = request.method
        text = request.url
        headers = request.headers
        url = try AllowedURL(text)
        fields = try RequestHeaderFields(headers)
    }

    /// Returns whether the request has the same method, URL and header fields, byte by byte.
    func serves(_ request: OutboundRequest) -> Bool {
        method == request.method && text.isExactly(request.url) && headers.count == request.headers.count
            && zip(headers, request.headers).allSatisfy {
                $0.name.isExactly($1.name) && $0.value.isExactly($1.value)
            }
    }
}
