#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The names under which a listener may be asked.
///
/// A web page can give its own name the listener's address (DNS rebinding): its requests then are of the same origin for the
/// browser, and carry the page's name as `Host`. Loopback names and addresses cannot be rebound; neither can the address at which
/// the connection arrived.
public struct AllowedHosts: Sendable, Equatable {
    /// Nil for any.
    private let names: Set<String>?

    /// Every name. For listeners whose clients authenticate with what a browser does not send by itself.
    public static let any = AllowedHosts(names: nil)

    /// Loopback names, the address at which a connection arrived, and these.
    public init(_ names: [String] = []) {
        self.names = Set(names.compactMap { Authority(Self.bracketed($0))?.host })
    }

    private init(names: Set<String>?) {
        self.names = names
    }

    /// Whether the text names a host, without a port.
    public static func isHost(_ text: String) -> Bool {
        Authority(bracketed(text)).map { $0.port == nil } ?? false
    }

    /// - Parameters:
    ///   - authority: the request's; nil where it has none, as no browser sends it.
    ///   - localAddress: at which the connection arrived.
    func contain(_ authority: String?, localAddress: () -> String?) -> Bool {
        guard let names, let authority else { return true }
        guard let host = Authority(authority)?.host else { return false }
        if host == "localhost" || names.contains(host) { return true }
        guard let address = Self.bytes(ofAddress: host) else { return false }
        return Self.isLoopback(address) || names.contains { Self.bytes(ofAddress: $0) == address }
            || localAddress().flatMap(Self.bytes) == address
    }

    private static func bracketed(_ name: String) -> String {
        name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
    }

    private static func isLoopback(_ address: [UInt8]) -> Bool {
        address.count == 4 ? address[0] == 127 : address.dropLast().allSatisfy { $0 == 0 } && address.last == 1
    }

    /// 4 or 16 bytes; of an IPv4 address inside IPv6 the 4.
    private static func bytes(ofAddress text: String) -> [UInt8]? {
        var four = in_addr()
        var sixteen = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: &four) { Array($0) } }
        guard inet_pton(AF_INET6, text, &sixteen) == 1 else { return nil }
        let all = withUnsafeBytes(of: &sixteen) { Array($0) }
        return all.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]) ? Array(all.suffix(4)) : all
    }
}
