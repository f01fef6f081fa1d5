import PayrelayPrimitives

/// A host with an optional port, as in `Host`, in `:authority`, and after the scheme of an `Origin` (RFC 3986,
/// 3.2).
struct Authority: Equatable {
    /// The host in lower case, without brackets and without a trailing dot.
    let host: String
    let port: Int?

    /// Returns `nil` if the text is not a host with an optional port.
    init?(_ text: some StringProtocol) {
        var host = Substring(text)
        var port: Int?
        // Compared by bytes because one user-perceived sign may consist of several scalars. Bytes that are not ASCII are
        // rejected below.
        let end = host.utf8.lastIndex(of: UInt8(ascii: "]")) ?? host.startIndex
        if let colon = host[end...].utf8.lastIndex(of: UInt8(ascii: ":")) {
            let digits = host[host.utf8.index(after: colon)...]
            guard digits.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
            if !digits.isEmpty {
                guard let number = Int(digits), number <= 65_535 else { return nil }
                port = number
            }
            host = host[..<colon]
        }
        if host.utf8.first == UInt8(ascii: "[") {
            guard host.utf8.count > 1, host.utf8.last == UInt8(ascii: "]") else { return nil }
            host = host[host.utf8.index(after: host.startIndex)..<host.utf8.index(before: host.endIndex)]
            guard host.utf8.allSatisfy(Self.isOfAddress) else { return nil }
        } else if host.utf8.contains(UInt8(ascii: ":")) {
            return nil
        }
        if host.utf8.last == UInt8(ascii: ".") { host = host[..<host.utf8.index(before: host.endIndex)] }
        guard !host.isEmpty, host.utf8.allSatisfy(Self.isOfHost) else { return nil }
        self.host = host.lowercasedASCII
        self.port = port
    }

    private static func isOfAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x46, 0x61...0x66, UInt8(ascii: "."): true
        default: false
        }
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "-._~:%!$&'()*+;=".utf8.contains(byte)
    }
}
