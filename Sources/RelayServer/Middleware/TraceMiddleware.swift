import HTTPTypes
import Hummingbird
import Observability
import Tracing

/// Continues the client's trace, or begins one: the log's lines carry its identifier, and the response its `traceparent`. The
/// request is a span, and a payment's steps are spans below it. A span has the route and never the path, a header or a query.
struct TraceMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: RelayRequestContext,
        next: (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        let tracer = InstrumentationSystem.tracer
        var parent = ServiceContext.topLevel
        // Two fields of that name are none (W3C Trace Context, 3.2).
        if request.headers[values: .traceparent].count == 1 {
            tracer.extract(request.headers, into: &parent, using: HeaderExtractor())
        }
        let span = tracer.startAnySpan("request", context: parent, ofKind: .server)
        defer { span.end() }
        var response = try await ServiceContext.withValue(span.context) { try await next(request, context) }
        if span.isRecording {
            let labels = RequestLabels(
                method: request.method, status: Int(response.status.code), route: context.endpointPath, scheme: "")
            span.operationName = "\(labels.method.rawValue) \(labels.route)"
            span.attributes["http.request.method"] = labels.method.rawValue
            span.attributes["http.route"] = labels.route
            span.attributes["http.response.status_code"] = labels.status
            if labels.status >= 500 { span.setStatus(SpanStatus(code: .error)) }
        }
        tracer.inject(span.context, into: &response.headers, using: HeaderInjector())
        return response
    }
}

private struct HeaderExtractor: Extractor {
    func extract(key: String, from headers: HTTPFields) -> String? {
        HTTPField.Name(key).flatMap { headers[$0] }
    }
}

private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into headers: inout HTTPFields) {
        if let name = HTTPField.Name(key) { headers[name] = value }
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // Safe: a literal of RFC 9110 token characters.
    fileprivate static let traceparent = HTTPField.Name("traceparent")!
}
