import PayrelayPrimitives
public import Tracing

/// A position in a trace, as in the header field `traceparent` (W3C Trace Context, 3.2). It is passed on in the
/// service context.
public struct TraceContext: Hashable, Sendable {
    /// The trace's identifier: 16 bytes in lower-case hex, not all zero.
    public let traceIdentifier: String
    /// The span's identifier: 8 bytes in lower-case hex, not all zero.
    public let spanIdentifier: String
    /// The flags: 1 byte in lower-case hex.
    let flags: String

    /// Whether the trace is recorded, which is the lowest bit of the flags.
    public var isSampled: Bool { (flags.utf8.last.map { $0 & 1 } ?? 0) == 1 }

    /// Creates the context of a new trace.
    init(isSampled: Bool) {
        traceIdentifier = TraceIdentifiers.next(bytes: 16)
        spanIdentifier = TraceIdentifiers.next(bytes: 8)
        flags = isSampled ? "01" : "00"
    }

    /// Parses a client's `traceparent`. Returns `nil` if it is not valid; a new trace begins then (3.2.2.4 and
    /// 4.3).
    public init?(_ text: String) {
        let parts = text.parts(at: "-").map(String.init)
        // In a later version, these four parts keep their meaning, and further parts may follow.
        guard parts.count == 4 || parts.count > 4 && parts[0] != "00",
            parts[0].isHex(bytes: 1), parts[0] != "ff", parts[1].isHex(bytes: 16), parts[2].isHex(bytes: 8),
            parts[3].isHex(bytes: 1), parts[1].utf8.contains(where: { $0 != UInt8(ascii: "0") }),
            parts[2].utf8.contains(where: { $0 != UInt8(ascii: "0") })
        else { return nil }
        self.init(traceIdentifier: parts[1], spanIdentifier: parts[2], flags: parts[3])
    }

    private init(traceIdentifier: String, spanIdentifier: String, flags: String) {
        self.traceIdentifier = traceIdentifier
        self.spanIdentifier = spanIdentifier
        self.flags = flags
    }

    /// The same trace with a new span.
    var child: TraceContext {
        TraceContext(traceIdentifier: traceIdentifier, spanIdentifier: TraceIdentifiers.next(bytes: 8), flags: flags)
    }

    /// The value of the header field, in version 00.
    public var text: String { "00-\(traceIdentifier)-\(spanIdentifier)-\(flags)" }
}

extension ServiceContext {
    /// The current span; `nil` outside of a span.
    public var traceContext: TraceContext? {
        get { self[TraceContextKey.self] }
        set { self[TraceContextKey.self] = newValue }
    }
}

private enum TraceContextKey: ServiceContextKey {
    typealias Value = TraceContext
    static var nameOverride: String? { "traceparent" }
}

extension String {
    /// Whether the text is the lower-case hex of so many bytes. Upper case is not allowed.
    fileprivate func isHex(bytes: Int) -> Bool {
        utf8.count == 2 * bytes && utf8.allSatisfy { $0.isASCIIDigit || (0x61...0x66).contains($0) }
    }
}
