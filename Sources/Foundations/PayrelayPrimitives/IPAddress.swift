#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An IPv4 or IPv6 address. An IPv4 address inside IPv6 (`::ffff:192.0.2.1`) becomes the IPv4 address.
public struct IPAddress: Hashable, Sendable {
    /// The 4 or 16 bytes, in network order.
    public let bytes: [UInt8]

    /// Returns `nil` if the text is not an address. Brackets, a port or a zone are not allowed.
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        guard !text.utf8.contains(0) else { return nil }
        var four = in_addr()
        var sixteen = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &sixteen) == 1 {
            let all = withUnsafeBytes(of: &sixteen) { Array($0) }
            let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
            bytes = all.starts(with: mapped) ? Array(all.suffix(4)) : all
        } else {
            return nil
        }
    }

    /// The address as text: IPv4 in dotted-decimal form, IPv6 as in RFC 5952.
    public var text: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &buffer, socklen_t(buffer.count))
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
