import FoundationEssentials

/// An absolute `https` URL of a host and a path and nothing else, in characters that no two parsers read differently.
struct SessionURL {
    /// In lower case; IPv6 addresses in brackets.
    let host: String
    /// 443 where the URL has none.
    let port: Int
    let path: String

    init?(_ text: String) {
        // Of ASCII alone, and without escapes, a host can be written in one way only. "\" is a "/" to browsers.
        guard text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && !#"\%"#.utf8.contains($0) }),
            let parts = URLComponents(string: text), parts.scheme?.lowercased() == "https",
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
            let host = parts.encodedHost?.lowercased(), !host.isEmpty,
            case let port = parts.port ?? 443, (1...65_535).contains(port)
        else { return nil }
        self.host = host
        self.port = port
        path = parts.path
    }

    var authority: String { port == 443 ? host : "\(host):\(port)" }
}
