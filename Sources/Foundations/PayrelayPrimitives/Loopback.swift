/// The rule for loopback addresses: 127.0.0.0/8 and ::1 (RFC 6890), in IPv4 or inside IPv6, and the name
/// `localhost` (RFC 6761, 6.3). It applies to plain `http`, to listeners without authentication and to the check
/// of `Host`.
extension IPAddress {
    public var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// Returns whether a host is a loopback address or `localhost`, in any case. An IPv6 address may have the
    /// brackets of a URL.
    public static func isLoopback(host: some StringProtocol) -> Bool {
        if let address = Substring(host).between("[", "]") {
            return address.has(":") && IPAddress(address)?.isLoopback == true
        }
        return host.isSame(ignoringCaseOf: "localhost") || IPAddress(host)?.isLoopback == true
    }
}
