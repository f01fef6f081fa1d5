import AccessControl
import HTTPListener
import HTTPTypes
import Logging
import Observability
import PayrelayPrimitives
import Tracing
import UnderWay

/// The steps of each request before and after its route: its identifier, its trace, its checks, the common
/// response fields, the log line and the metrics.
struct RequestLifecycle: Sendable {
    /// `nil` for an operators' listener. Its requests have no trace, no log line and no metrics. Their identifier
    /// is never the sender's, because the payment's history stores it beside the operator's name.
    let metrics: RelayMetrics?
    let requests: WorkUnderWay
    let proxies: TrustedProxies
    /// The scheme of the listener's URLs, `http` or `https`.
    let scheme: String
    let crossSite: CrossSiteRule
    /// The paths that may be requested under any host name.
    let pathsOfAnyHost: Set<String>
    /// `nil` if the rate of clients is not limited.
    let rate: ClientRateLimit?
    /// The tracer of the process, stored because looking it up costs more than a span that is not exported.
    private let tracer = InstrumentationSystem.tracer

    /// Begins a request.
    ///
    /// - Parameter peer: the address of the connection's other end, without a port.
    func begin(_ head: HTTPRequest, peer: String?, logger: Logger) -> OpenRequest {
        OpenRequest(
            head: head, start: .now,
            identifier: metrics == nil ? RequestIdentifier.next() : RequestIdentifier.of(head),
            underWay: RequestUnderWay(requests), baseLogger: logger, span: metrics == nil ? nil : startSpan(head),
            clientAddress: peer.map { proxies.clientAddress(peer: $0, of: head.headerFields) })
    }

    private func startSpan(_ head: HTTPRequest) -> any Span {
        var parent = ServiceContext.topLevel
        // Two `traceparent` fields count as none (W3C Trace Context, 3.2).
        if head.headerFields[values: .traceparent].count == 1 {
            tracer.extract(head.headerFields, into: &parent, using: HeaderExtractor())
        }
        return tracer.startAnySpan("request", context: parent, ofKind: .server)
    }

    /// The methods that a standard defines for paths (RFC 9110, RFC 5789), and QUERY. If a path does not support
    /// one of them, the response is 405. Any other method gets 501.
    private static let knownMethods = Set(
        ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"].compactMap {
            HTTPRequest.Method($0)
        })

    /// Rejects methods that no path supports (RFC 9110, 9.1), and requests of foreign web pages.
    ///
    /// - Parameters:
    ///   - path: the route's path, if any.
    ///   - localAddress: returns the address at which the connection arrived. Called only if it matters.
    func check(_ request: OpenRequest, path: String?, localAddress: () -> String?) throws(Problem) {
        guard Self.knownMethods.contains(request.head.method) else { throw Problem.unknownMethod }
        do throws(CrossSiteError) {
            let hasAnyHost = path.map { pathsOfAnyHost.contains($0) } ?? false
            try crossSite.check(request.head, hasAnyHost: hasAnyHost, localAddress: localAddress)
        } catch {
            throw Problem(error)
        }
    }

    /// Ends a request that has its response: adds the fields that every response has, and records the request.
    ///
    /// - Parameter path: the route's path, if any. Never the path as it was sent, which clients choose.
    func end(_ request: OpenRequest, path: String?, _ status: HTTPResponse.Status, _ fields: inout HTTPFields) {
        fields.addCommon()
        fields[.requestIdentifier] = request.identifier
        guard let metrics, let span = request.span else { return }
        tracer.inject(span.context, into: &fields, using: HeaderInjector())
        let labels = RequestLabels(method: request.head.method, status: Int(status.code), route: path, scheme: scheme)
        let duration = request.start.duration(to: .now)
        // Neither the path as it was sent, nor a header field, nor the body is logged: any of them may contain
        // data that does not belong in a log.
        ServiceContext.withValue(span.context) {
            request.baseLogger.info(
                "request",
                metadata: [
                    RequestLog.identifier: .string(request.identifier),
                    "method": .string(request.head.method.rawValue), "route": .string(labels.route),
                    "status": .string(status.code.description), "ms": .string(duration.milliseconds.description),
                ])
        }
        if span.isRecording { span.describe(labels) }
        span.end()
        metrics.requests.record(duration, labels)
    }
}

/// A request that has no response yet.
struct OpenRequest: Sendable {
    let head: HTTPRequest
    let start: ContinuousClock.Instant
    let identifier: String
    let underWay: RequestUnderWay
    let baseLogger: Logger
    let span: (any Span)?
    /// The client's address, without a port: the address of the peer, or the address that a trusted proxy
    /// reports.
    let clientAddress: String?

    /// A logger whose lines have the identifier. Computed, because most requests log only their own line.
    var logger: Logger { RequestLog.logger(baseLogger, for: identifier) }
}

/// The metadata by which log lines name their request.
enum RequestLog {
    /// Hummingbird's key. The log writes it as `request_id`.
    static let identifier = "hb.request.id"

    /// Returns a logger whose lines have the identifier.
    static func logger(_ logger: Logger, for identifier: String) -> Logger {
        var logger = logger
        // Stored as a string so that it is not formatted again for each line.
        logger[metadataKey: Self.identifier] = .string(identifier)
        return logger
    }
}

extension Span {
    /// Sets the span's name and attributes. A span has the route, but never the path as it was sent, a header
    /// field or a query.
    fileprivate func describe(_ labels: RequestLabels) {
        let span = self
        span.operationName = "\(labels.method.rawValue) \(labels.route)"
        span.attributes["http.request.method"] = labels.method.rawValue
        span.attributes["http.route"] = labels.route
        span.attributes["http.response.status_code"] = labels.status
        if labels.status >= 500 { span.setStatus(SpanStatus(code: .error)) }
    }
}

private struct HeaderExtractor: Extractor {
    func extract(key: String, from headers: HTTPFields) -> String? {
        HTTPField.Name(key).flatMap { headers[$0] }
    }
}

private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into headers: inout HTTPFields) {
        let name = key == HTTPField.Name.traceparent.canonicalName ? .traceparent : HTTPField.Name(key)
        if let name { headers[name] = value }
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // Safe: a literal of RFC 9110 token characters.
    fileprivate static let traceparent = HTTPField.Name("traceparent")!
}
