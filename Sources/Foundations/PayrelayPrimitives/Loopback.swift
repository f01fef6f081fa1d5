/// Loopback addresses: 127.0.0.0/8 and ::1 (RFC 6890), written in IPv4 or inside IPv6, and the name `localhost`
/// (RFC 6761, 6.3). Plain `http`, listeners without authentication and the check of `Host` all use this rule.
extension IPAddress {
    public var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// Whether a host is a loopback address or `localhost`, in either case of letters. An IPv6 address may stand in the
    /// brackets that a URL has.
    public static func isLoopback(host: some StringProtocol) -> Bool {
        if let address = Substring(host).between("[", "]") {
            return address.has(":") && IPAddress(address)?.isLoopback == true
        }
        return host.isSame(ignoringCaseOf: "localhost") || IPAddress(host)?.isLoopback == true
    }
}
