extension String {
    /// Whether the text is a merchant's reference of an order: 1 to 40 ASCII letters, digits, `.`, `_` and `-`.
    public var isMerchantReference: Bool { isReference(upTo: 40) }

    /// Whether the text is `.` or `..`, which are not names but steps in a URL's path (RFC 3986, 5.2.4).
    public var isDotSegment: Bool { isExactly(".") || isExactly("..") }

    /// Returns whether the text has 1 to `limit` characters, each an ASCII letter, a digit, `.`, `_` or `-`.
    package func isReference(upTo limit: Int) -> Bool {
        (1...limit).contains(utf8.count)
            && utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "._-".utf8.contains($0) }
    }
}
