public import HTTPTypes
import PayrelayPrimitives

/// The proxies whose `X-Forwarded-For` and `Forwarded` fields are trusted.
///
/// A client can send these fields itself, and each proxy appends its entry on the right. Therefore the entries
/// are read from the right: entries of trusted proxies are skipped, and the first other address is the client's.
public struct TrustedProxies: Sendable, Equatable {
    private let blocks: [AddressBlock]

    /// Trusts no proxy.
    public init() {
        blocks = []
    }

    /// Parses addresses and CIDR blocks, separated by commas. Returns `nil` if any part is neither an address nor
    /// a block.
    public init?(_ text: String) {
        let parts = text.parts(at: ",").map(\.trimmedOfSpaces)
        blocks = parts.compactMap { AddressBlock($0) }
        guard blocks.count == parts.count else { return nil }
    }

    var isEmpty: Bool { blocks.isEmpty }

    /// Returns the client's address, as far as trusted proxies vouch for it.
    ///
    /// - Parameters:
    ///   - peer: the address of the connection's other end.
    ///   - forwardedFor: the values of all `X-Forwarded-For` fields.
    ///   - forwarded: the values of all `Forwarded` fields (RFC 7239).
    public func clientAddress(peer: String, forwardedFor: [String], forwarded: [String]) -> String {
        guard let nearest = IPAddress(peer), trusts(nearest) else { return Self.plain(peer) }
        let paths = [ForwardedPath(forwardedFor: forwardedFor), ForwardedPath(forwarded: forwarded)].filter {
            !$0.hops.isEmpty
        }
        let clients = Set(paths.map { farthest(from: nearest, along: $0) })
        // A proxy may set only one of the two fields and pass on the other one as the client wrote it. So if the
        // two disagree, neither is used.
        guard clients.count == 1, let client = clients.first else { return nearest.text }
        return client.text
    }

    /// Returns an IPv4 address that is written as an IPv6 address, as a dual-stack listener sees it, in IPv4
    /// notation, which gateways expect.
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

    /// Whether the text is the address of a trusted proxy.
    func trusts(_ peer: String) -> Bool {
        guard !blocks.isEmpty, let address = IPAddress(peer) else { return false }
        return trusts(address)
    }

    private func trusts(_ address: IPAddress) -> Bool {
        blocks.contains { $0.contains(address) }
    }
}

extension TrustedProxies {
    /// Returns the client's address, as far as trusted proxies vouch for it in the request's header fields.
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

/// The addresses that a request passed according to its header fields; the nearest address is the last.
struct ForwardedPath {
    /// An element is `nil` if the address is obfuscated or cannot be read.
    let hops: [IPAddress?]

    /// Parses `X-Forwarded-For`: addresses separated by commas.
    init(forwardedFor fields: [String]) {
        hops = fields.flatMap { $0.parts(at: ",") }.map { Self.address($0) }
    }

    /// Parses `Forwarded`: elements separated by commas; each element consists of pairs separated by semicolons
    /// (RFC 7239, 4).
    init(forwarded fields: [String]) {
        hops = fields.flatMap { $0.parts(at: ",") }.map { element in
            let nodes = element.parts(at: ";").compactMap { pair -> Substring? in
                let (name, node) = pair.cut(at: "=")
                return name.trimmedOfSpaces.isSame(ignoringCaseOf: "for") ? node : nil
            }
            return nodes.count == 1 ? Self.address(nodes[0]) : nil
        }
    }

    /// Parses an address as proxies write it: `192.0.2.1`, `192.0.2.1:80`, `"[2001:db8::1]:80"`.
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
