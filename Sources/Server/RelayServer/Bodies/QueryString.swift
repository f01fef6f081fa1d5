import PayrelayPrimitives

/// The parameters of a request's query (RFC 3986, 3.4), in their order. A plus sign stays a plus sign, as email
/// addresses need it.
enum QueryString {
    /// Returns the parameters of the query.
    ///
    /// - Parameter path: the request's path with its query.
    /// - Throws: ``Problem`` 400 if the percent-encoding of a parameter is incomplete or does not decode to
    ///   UTF-8.
    static func parameters(of path: String?) throws(Problem) -> [(name: String, value: String)] {
        guard let path, let start = path.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        var parameters: [(name: String, value: String)] = []
        for pair in path.utf8[path.utf8.index(after: start)...].split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let (name, value) = (decoded(parts[0]), decoded(parts.count > 1 ? parts[1] : ""[...].utf8))
            guard let name else { throw notDecodable("query") }
            guard let value else { throw notDecodable(name.beginning(64)) }
            parameters.append((name, value))
        }
        return parameters
    }

    private static func notDecodable(_ field: String) -> Problem {
        .invalidFields([ValidationError(field: field, detail: "must be percent-encoded UTF-8")])
    }

    private static func decoded(_ text: Substring.UTF8View) -> String? {
        PercentEncoding.decoded(text).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
