/// The proxies that are believed about where a client is.
///
/// What a client writes into `X-Forwarded-For` or `Forwarded` is his own word: proxies add to its right. So it is read from the
/// right, through the proxies that are known, up to the first address that is none of them.
public struct TrustedProxies: Sendable, Equatable {
    private let blocks: [AddressBlock]

    /// Nobody is believed.
    init() {
        blocks = []
    }

    /// Nil where a part of the text, between commas, is neither an address nor a CIDR block.
    init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed }
        blocks = parts.compactMap { AddressBlock($0) }
        guard blocks.count == parts.count else { return nil }
    }

    /// Where the client is, as far as it is proven.
    ///
    /// - Parameters:
    ///   - peer: the other end of the connection.
    ///   - forwardedFor: `X-Forwarded-For`, all fields of that name.
    ///   - forwarded: `Forwarded` (RFC 7239), all fields of that name.
    func clientAddress(peer: String, forwardedFor: [String], forwarded: [String]) -> String {
        guard let nearest = IPAddress(peer), trusts(nearest) else { return peer }
        let paths = [ForwardedPath(forwardedFor: forwardedFor), ForwardedPath(forwarded: forwarded)].filter {
            !$0.hops.isEmpty
        }
        let clients = Set(paths.map { farthest(from: nearest, along: $0) })
        // A proxy may write one of the two and hand on the other, which then is whatever the client wrote.
        guard clients.count == 1, let client = clients.first else { return nearest.text }
        return client.text
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
