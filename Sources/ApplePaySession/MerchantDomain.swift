/// A domain that the merchant registered with Apple, as a fully qualified name in lower case; an internationalized one as its
/// A-label (`xn--…`).
public struct MerchantDomain: Hashable, Sendable, CustomStringConvertible {
    public let name: String

    /// - Returns: nil where the text is no host name of two labels or more (RFC 1123, 2.1): a URL, an address, a port.
    public init?(_ text: String) {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 253, labels.count >= 2, labels.allSatisfy(Self.isLabel),
            labels.last?.contains(where: \.isLetter) == true
        else { return nil }
        name = text.lowercased()
    }

    public var description: String { name }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }
}
