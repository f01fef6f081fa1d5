/// A host with its port, as `Host`, `:authority` and the rest of an `Origin` have it (RFC 3986, 3.2).
struct Authority: Equatable {
    /// In lower case, without brackets and without a dot at its end.
    let host: String
    let port: Int?

    /// Nil where the text is none.
    init?(_ text: some StringProtocol) {
        var host = text[...]
        var port: Int?
        let end = host.lastIndex(of: "]") ?? host.startIndex
        if let colon = host[end...].lastIndex(of: ":") {
            let digits = host[host.index(after: colon)...]
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            if !digits.isEmpty {
                guard let number = Int(digits), number <= 65_535 else { return nil }
                port = number
            }
            host = host[..<colon]
        }
        if host.hasPrefix("[") {
            guard host.hasSuffix("]") else { return nil }
            host = host.dropFirst().dropLast()
            guard host.utf8.allSatisfy(Self.isOfAddress) else { return nil }
        } else if host.contains(":") {
            return nil
        }
        if host.hasSuffix(".") { host = host.dropLast() }
        guard !host.isEmpty, host.utf8.allSatisfy(Self.isOfHost) else { return nil }
        self.host = host.lowercased()
        self.port = port
    }

    private static func isOfAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x46, 0x61...0x66, UInt8(ascii: "."): true
        default: false
        }
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~:%!$&'()*+;=".utf8.contains(byte)
        }
    }
}
