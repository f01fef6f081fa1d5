/// A request's place in a trace, as the header `traceparent` has it (W3C Trace Context, 3.2).
struct TraceParent: Hashable, Sendable {
    /// 16 bytes in lower-case hex, not all zero.
    let traceIdentifier: String
    /// 8 bytes in lower-case hex, not all zero.
    let parentIdentifier: String
    /// 1 byte in lower-case hex; its lowest bit says that the trace is recorded.
    let flags: String

    /// Of whoever works on a request at the moment.
    @TaskLocal static var current: TraceParent?

    /// A trace that begins here; nobody has said that it is recorded.
    init() {
        traceIdentifier = Self.identifier(bytes: 16)
        parentIdentifier = Self.identifier(bytes: 8)
        flags = "00"
    }

    /// What a client sent; nil where it is not valid, and then the trace begins anew (3.2.2.4 and 4.3).
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        // Of a later version, these four parts keep their meaning and more may follow.
        guard parts.count == 4 || parts.count > 4 && parts[0] != "00",
            parts[0].isHex(bytes: 1), parts[0] != "ff", parts[1].isHex(bytes: 16), parts[2].isHex(bytes: 8),
            parts[3].isHex(bytes: 1), parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
        else { return nil }
        self.init(traceIdentifier: parts[1], parentIdentifier: parts[2], flags: parts[3])
    }

    private init(traceIdentifier: String, parentIdentifier: String, flags: String) {
        self.traceIdentifier = traceIdentifier
        self.parentIdentifier = parentIdentifier
        self.flags = flags
    }

    /// The same trace, with our own part in it as the parent.
    var child: TraceParent {
        TraceParent(traceIdentifier: traceIdentifier, parentIdentifier: Self.identifier(bytes: 8), flags: flags)
    }

    /// As the header has it, in version 00.
    var text: String { "00-\(traceIdentifier)-\(parentIdentifier)-\(flags)" }

    /// Random, and not all zero.
    private static func identifier(bytes: Int) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes)
        for _ in 0..<bytes / 8 {
            let random = UInt64.random(in: 1 ... .max)
            for shift in stride(from: 60, through: 0, by: -4) {
                digits.append(hexDigits[Int(random >> UInt64(shift) & 15)])
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}

extension String {
    /// Upper case is not allowed.
    fileprivate func isHex(bytes: Int) -> Bool {
        utf8.count == 2 * bytes && utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
