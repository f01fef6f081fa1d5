import PayrelayPrimitives

/// A block of addresses with a common prefix, such as `10.0.0.0/8` or `2001:db8::/32`, or a single address (RFC
/// 4632).
struct AddressBlock: Hashable {
    private let first: IPAddress
    /// The length of the common prefix, in bits.
    private let prefixLength: Int

    /// Parses an address or a CIDR block. Returns `nil` if the text is neither, or if a bit after the prefix is
    /// set: that is more likely a mistake than intended.
    init?(_ text: some StringProtocol) {
        let parts = Substring(text).parts(at: "/")
        guard parts.count <= 2, let address = parts.first.flatMap({ IPAddress($0) }) else { return nil }
        let size = address.bytes.count * 8
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy(\.isASCIIDigit), let length = Int(parts[1]), length <= size
            else { return nil }
            prefixLength = length
        } else {
            prefixLength = size
        }
        first = address
        guard (prefixLength..<size).allSatisfy({ !address.hasBit($0) }) else { return nil }
    }

    func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == first.bytes.count else { return false }
        return (0..<prefixLength).allSatisfy { first.hasBit($0) == address.hasBit($0) }
    }
}

extension IPAddress {
    fileprivate func hasBit(_ place: Int) -> Bool {
        bytes[place / 8] & (0x80 >> UInt8(place % 8)) != 0
    }
}
