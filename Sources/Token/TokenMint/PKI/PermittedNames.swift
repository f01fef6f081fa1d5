import PayrelayPrimitives
import SwiftASN1
import X509

/// The hosts that a developer's authority may certify (RFC 5280, 4.2.1.10): those of private networks, and the
/// host for which the authority was created.
enum PermittedNames {
    /// The domains that are reserved for private networks: RFC 6762, RFC 6761, RFC 8375, and ICANN's `internal`.
    private static let domains = ["local", "localhost", "test", "home.arpa", "internal"]
    /// The ranges of private addresses, each as address and mask: RFC 1918, RFC 3927, loopback, RFC 4193, and
    /// link-local addresses of IPv6.
    private static let ranges: [[UInt8]] = [
        [10, 0, 0, 0, 255, 0, 0, 0], [172, 16, 0, 0, 255, 240, 0, 0], [192, 168, 0, 0, 255, 255, 0, 0],
        [169, 254, 0, 0, 255, 255, 0, 0], [127, 0, 0, 0, 255, 0, 0, 0],
        range([0xFC], [0xFE]), range([0xFE, 0x80], [0xFF, 0xC0]),
        [UInt8](repeating: 0, count: 15) + [1] + [UInt8](repeating: 255, count: 16),
    ]

    static func constraints(for host: String) -> NameConstraints {
        let address = IPAddress(host)?.bytes
        let own = address.map { [$0 + [UInt8](repeating: 255, count: $0.count)] } ?? []
        return NameConstraints(
            permittedDNSDomains: domains + (address == nil ? [host] : []),
            permittedIPRanges: (ranges + own).map { ASN1OctetString(contentBytes: $0[...]) })
    }

    /// - Parameter constraints: the authority's name constraints; `nil` for an authority from elsewhere, which
    ///   may certify no host.
    static func include(_ host: String, in constraints: NameConstraints?) -> Bool {
        guard let constraints else { return false }
        guard let address = IPAddress(host)?.bytes else {
            return constraints.permittedDNSDomains.contains { host == $0 || host.ends(with: "." + $0) }
        }
        return constraints.permittedIPRanges.contains { range in
            let bytes = Array(range.bytes)
            guard bytes.count == 2 * address.count else { return false }
            return address.indices.allSatisfy {
                address[$0] & bytes[address.count + $0] == bytes[$0] & bytes[address.count + $0]
            }
        }
    }

    private static func range(_ start: [UInt8], _ mask: [UInt8]) -> [UInt8] {
        [start, mask].flatMap { $0 + [UInt8](repeating: 0, count: 16 - $0.count) }
    }
}
