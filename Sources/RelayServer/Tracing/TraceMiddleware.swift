import HTTPTypes
import Hummingbird
import Tracing

/// Takes the client's trace on, or begins one: every line of the log has its identifier, and the answer carries it. The span of
/// the request, and those of a payment's steps below it, go to the tracer that the process was bootstrapped with; there
/// is none by default. A span has the route and never the path, a header or a query.
struct TraceMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: RelayRequestContext,
        next: (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        let sent = request.headers[values: .traceparent]
        let received = sent.count == 1 ? sent.first.flatMap { TraceParent($0) } : nil
        let own = received?.child ?? TraceParent()
        var headers = request.headers
        headers[.traceparent] = (received ?? own).text

        var tracing = InstrumentationContext.current ?? .topLevel
        InstrumentationSystem.instrument.extract(headers, into: &tracing, using: HeaderExtractor())
        let span = startSpan("request", context: tracing, ofKind: .server)
        defer { span.end() }
        var response = try await TraceParent.$current.withValue(own) {
            try await InstrumentationContext.withValue(span.context) { try await next(request, context) }
        }
        let labels = RequestLabels(
            method: request.method, status: Int(response.status.code), route: context.endpointPath, scheme: "")
        span.operationName = "\(labels.method.rawValue) \(labels.route)"
        span.attributes["http.request.method"] = labels.method.rawValue
        span.attributes["http.route"] = labels.route
        span.attributes["http.response.status_code"] = labels.status
        if labels.status >= 500 { span.setStatus(SpanStatus(code: .error)) }
        response.headers[.traceparent] = own.text
        return response
    }
}

private struct HeaderExtractor: Extractor {
    func extract(key: String, from headers: HTTPFields) -> String? {
        HTTPField.Name(key).flatMap { headers[$0] }
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // Safe: a literal of RFC 9110 token characters.
    fileprivate static let traceparent = HTTPField.Name("traceparent")!
}
