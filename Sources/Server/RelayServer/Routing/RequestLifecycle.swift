import AccessControl
import HTTPListener
import HTTPTypes
import Logging
import Observability
import PayrelayPrimitives
import Tracing
import UnderWay

/// The steps of each request before and after its route: its identifier, its trace, its checks, the common response
/// fields, the log line and the metrics.
struct RequestLifecycle: Sendable {
    /// `nil` for a listener of operators. Its requests have no trace, no log line and no metrics, and the identifier, which the history of
    /// payments has beside the operator's name, is never the sender's.
    let metrics: RelayMetrics?
    let requests: WorkUnderWay
    let proxies: TrustedProxies
    /// `http` or `https`.
    let scheme: String
    let crossSite: CrossSiteRule
    /// Routes that may be asked for under any host name.
    let pathsOfAnyHost: Set<String>
    /// Nil if the rate of clients is not limited.
    let rate: ClientRateLimit?
    /// The tracer of the process. A lookup costs more than a span that nothing exports.
    private let tracer = InstrumentationSystem.tracer

    /// Begins a request.
    ///
    /// - Parameter peer: the other end's address, without a port.
    func begin(_ head: HTTPRequest, peer: String?, logger: Logger) -> OpenRequest {
        OpenRequest(
            head: head, start: .now,
            identifier: metrics == nil ? RequestIdentifier.next() : RequestIdentifier.of(head),
            underWay: RequestUnderWay(requests), baseLogger: logger, span: metrics == nil ? nil : startSpan(head),
            clientAddress: peer.map { proxies.clientAddress(peer: $0, of: head.headerFields) })
    }

    private func startSpan(_ head: HTTPRequest) -> any Span {
        var parent = ServiceContext.topLevel
        // Two fields of that name are none (W3C Trace Context, 3.2).
        if head.headerFields[values: .traceparent].count == 1 {
            tracer.extract(head.headerFields, into: &parent, using: HeaderExtractor())
        }
        return tracer.startAnySpan("request", context: parent, ofKind: .server)
    }

    /// Every method that a standard gives a meaning to on a path (RFC 9110, RFC 5789), and QUERY. A path that does not take one of them
    /// answers it with 405, and any other method is 501.
    private static let knownMethods = Set(
        ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"].compactMap {
            HTTPRequest.Method($0)
        })

    /// Refuses methods that no path takes (RFC 9110, 9.1), and what a foreign web page sends.
    ///
    /// - Parameters:
    ///   - path: the route's, if any.
    ///   - localAddress: the address at which the connection arrived. It is called only if it matters.
    func check(_ request: OpenRequest, path: String?, localAddress: () -> String?) throws(Problem) {
        guard Self.knownMethods.contains(request.head.method) else { throw Problem.unknownMethod }
        do throws(CrossSiteError) {
            let hasAnyHost = path.map { pathsOfAnyHost.contains($0) } ?? false
            try crossSite.check(request.head, hasAnyHost: hasAnyHost, localAddress: localAddress)
        } catch {
            throw Problem(error)
        }
    }

    /// Ends a request whose response is there: adds the fields that every response has, and records it.
    ///
    /// - Parameter path: the route's, if any: not the path as it was sent, which clients choose.
    func end(_ request: OpenRequest, path: String?, _ status: HTTPResponse.Status, _ fields: inout HTTPFields) {
        fields.addCommon()
        fields[.requestIdentifier] = request.identifier
        guard let metrics, let span = request.span else { return }
        tracer.inject(span.context, into: &fields, using: HeaderInjector())
        let labels = RequestLabels(method: request.head.method, status: Int(status.code), route: path, scheme: scheme)
        let duration = request.start.duration(to: .now)
        // No path as sent, no header, no body: any of them may hold what does not belong in a log.
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
    /// The client's address, without a port: the peer's, or the one that a trusted proxy reports.
    let clientAddress: String?

    /// With the identifier. Made where something besides the request's own line is logged.
    var logger: Logger { RequestLog.logger(baseLogger, for: identifier) }
}

/// How log lines name the request that they belong to.
enum RequestLog {
    /// Hummingbird's key; the log writes it as `request_id`.
    static let identifier = "hb.request.id"

    /// A logger whose lines have the identifier.
    static func logger(_ logger: Logger, for identifier: String) -> Logger {
        var logger = logger
        // As a string, so that it is not formatted again for each line.
        logger[metadataKey: Self.identifier] = .string(identifier)
        return logger
    }
}

extension Span {
    /// A span has the route and never the path, a header or a query.
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
