import Primitives

/// The addresses that a request passed, as its headers tell, the nearest last.
struct ForwardedPath {
    /// Nil for one that is hidden or cannot be read.
    let hops: [IPAddress?]

    /// From `X-Forwarded-For`: addresses with commas between them.
    init(forwardedFor fields: [String]) {
        hops = fields.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map { Self.address($0) }
    }

    /// From `Forwarded`: elements with commas between them, each of pairs with semicolons between them (RFC 7239, 4).
    init(forwarded fields: [String]) {
        hops = fields.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map { element in
            let nodes = element.split(separator: ";").compactMap { pair -> Substring? in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return parts.count == 2 && parts[0].trimmed.lowercased() == "for" ? parts[1] : nil
            }
            return nodes.count == 1 ? Self.address(nodes[0]) : nil
        }
    }

    /// An address as proxies write it: `192.0.2.1`, `192.0.2.1:80`, `"[2001:db8::1]:80"`.
    private static func address(_ text: Substring) -> IPAddress? {
        var text = text.trimmed
        if text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") { text = text.dropFirst().dropLast() }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") { return IPAddress(text[..<end].dropFirst()) }
        if let address = IPAddress(text) { return address }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? IPAddress(parts[0]) : nil
    }
}

extension Substring {
    /// Without the spaces and tabs around it (RFC 9110, 5.6.3).
    public var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
