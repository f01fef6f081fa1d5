import CCurl
import PayrelayPrimitives

/// The header fields of a request as a list for libcurl. Fields that could inject a line or a second request are
/// rejected.
final class RequestHeaderFields {
    private(set) var first: UnsafeMutablePointer<curl_slist>?

    /// The fields that frame a request, which only libcurl may write. With a length that differs from the body's,
    /// the next request on the connection would become part of this one.
    private static let reserved: Set = ["content-length", "transfer-encoding", "expect"]

    /// - Throws: ``NotSent`` if a name is not a token, if a value would end its line (RFC 9110, 5.1 and 5.5), or
    ///   if the field is one that frames the request.
    init(_ headers: [(name: String, value: String)]) throws(NotSent) {
        for (name, value) in headers {
            guard !name.isEmpty, name.utf8.allSatisfy(\.isHTTPTokenByte) else {
                throw NotSent(reason: "a header field's name is malformed")
            }
            guard !Self.reserved.contains(name.lowercasedASCII) else {
                throw NotSent(reason: "the header field \(name) is not for callers to set")
            }
            guard !value.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) else {
                throw NotSent(reason: "the header field \(name) has a line break or NUL in its value")
            }
            // libcurl omits a field that is written as "Name:". "Name;" sends the field with an empty value.
            try append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        // Without these lines, libcurl would add both fields by itself, for some or all bodies.
        try append("Expect:")
        if !headers.contains(where: { $0.name.isSame(ignoringCaseOf: "content-type") }) { try append("Content-Type:") }
    }

    deinit { curl_slist_free_all(first) }

    private func append(_ line: String) throws(NotSent) {
        guard let longer = curl_slist_append(first, line) else { throw NotSent(reason: "out of memory") }
        first = longer
    }
}
