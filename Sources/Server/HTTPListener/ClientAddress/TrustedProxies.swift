public import HTTPTypes
import PayrelayPrimitives

/// The proxies whose `X-Forwarded-For` and `Forwarded` are trusted.
///
/// A client can send these fields itself; each proxy appends to the right. They are read from the right, past the trusted
/// proxies, up to the first other address.
public struct TrustedProxies: Sendable, Equatable {
    private let blocks: [AddressBlock]

    /// Trusts no proxy.
    public init() {
        blocks = []
    }

    /// Nil where a part of the text, between commas, is neither an address nor a CIDR block.
    public init?(_ text: String) {
        let parts = text.parts(at: ",").map(\.trimmedOfSpaces)
        blocks = parts.compactMap { AddressBlock($0) }
        guard blocks.count == parts.count else { return nil }
    }

    var isEmpty: Bool { blocks.isEmpty }

    /// Where the client is, as far as it is proven.
    ///
    /// - Parameters:
    ///   - peer: the other end of the connection.
    ///   - forwardedFor: `X-Forwarded-For`, all fields of that name.
    ///   - forwarded: `Forwarded` (RFC 7239), all fields of that name.
    public func clientAddress(peer: String, forwardedFor: [String], forwarded: [String]) -> String {
        guard let nearest = IPAddress(peer), trusts(nearest) else { return Self.plain(peer) }
        let paths = [ForwardedPath(forwardedFor: forwardedFor), ForwardedPath(forwarded: forwarded)].filter {
            !$0.hops.isEmpty
        }
        let clients = Set(paths.map { farthest(from: nearest, along: $0) })
        // A proxy may write one of the two and hand on the other, which then is whatever the client wrote.
        guard clients.count == 1, let client = clients.first else { return nearest.text }
        return client.text
    }

    /// On a listener for IPv4 and IPv6 an IPv4 address comes inside an IPv6 address; gateways want it as it is.
    private static func plain(_ peer: String) -> String {
        peer.begins(with: "::ffff:") ? IPAddress(peer)?.text ?? peer : peer
    }

    private func farthest(from nearest: IPAddress, along path: ForwardedPath) -> IPAddress {
        var known = nearest
        for hop in path.hops.reversed() {
            guard let hop else { return known }
            known = hop
            guard trusts(hop) else { return known }
        }
        return known
    }

    /// Whether the text is the address of one of them.
    func trusts(_ peer: String) -> Bool {
        guard !blocks.isEmpty, let address = IPAddress(peer) else { return false }
        return trusts(address)
    }

    private func trusts(_ address: IPAddress) -> Bool {
        blocks.contains { $0.contains(address) }
    }
}

extension TrustedProxies {
    /// Where the client is, by the header of its request.
    public func clientAddress(peer: String, of fields: HTTPFields) -> String {
        isEmpty
            ? Self.plain(peer)
            : clientAddress(
                peer: peer, forwardedFor: fields[values: .xForwardedFor], forwarded: fields[values: .forwarded])
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // Safe: literals of RFC 9110 token characters.
    fileprivate static let xForwardedFor = HTTPField.Name("X-Forwarded-For")!
    // swift-format-ignore: NeverForceUnwrap
    fileprivate static let forwarded = HTTPField.Name("Forwarded")!
}

/// The addresses that a request passed, as its headers tell, the nearest last.
struct ForwardedPath {
    /// Nil for one that is hidden or cannot be read.
    let hops: [IPAddress?]

    /// From `X-Forwarded-For`: addresses with commas between them.
    init(forwardedFor fields: [String]) {
        hops = fields.flatMap { $0.parts(at: ",") }.map { Self.address($0) }
    }

    /// From `Forwarded`: elements with commas between them, each of pairs with semicolons between them (RFC 7239, 4).
    init(forwarded fields: [String]) {
        hops = fields.flatMap { $0.parts(at: ",") }.map { element in
            let nodes = element.parts(at: ";").compactMap { pair -> Substring? in
                let (name, node) = pair.cut(at: "=")
                return name.trimmedOfSpaces.isSame(ignoringCaseOf: "for") ? node : nil
            }
            return nodes.count == 1 ? Self.address(nodes[0]) : nil
        }
    }

    /// An address as proxies write it: `192.0.2.1`, `192.0.2.1:80`, `"[2001:db8::1]:80"`.
    private static func address(_ text: Substring) -> IPAddress? {
        var text = text.trimmedOfSpaces
        text = text.between("\"", "\"") ?? text
        if let bracketed = text.after("[") {
            let (address, port) = bracketed.cut(at: "]")
            return port == nil ? nil : IPAddress(address)
        }
        if let address = IPAddress(text) { return address }
        let parts = text.parts(at: ":")
        return parts.count == 2 ? IPAddress(parts[0]) : nil
    }
}
