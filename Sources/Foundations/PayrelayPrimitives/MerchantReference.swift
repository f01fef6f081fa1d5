extension String {
    /// Whether it is a merchant's reference of an order: 1 to 40 ASCII letters, digits, `.`, `_` and `-`.
    public var isMerchantReference: Bool { isReference(upTo: 40) }

    /// Whether it has 1 to `limit` characters, each an ASCII letter, a digit, `.`, `_` or `-`.
    package func isReference(upTo limit: Int) -> Bool {
        (1...limit).contains(utf8.count)
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
