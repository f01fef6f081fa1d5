import PayrelayPrimitives

/// The merchant that requests sessions: what the customer's pay sheet shows, and for which web sites.
public struct SessionMerchant: Hashable, Sendable {
    /// Apple's merchant identifier: `merchant.com.example.shop`.
    public let identifier: String
    public let displayName: DisplayName
    /// A session opens the pay sheet in the merchant's name; sessions for other domains are not requested.
    public let domains: [MerchantDomain]

    /// A name for the pay sheet.
    public struct DisplayName: Hashable, Sendable {
        public let text: String

        /// - Returns: nil where it is empty or longer than Apple takes: 64 characters.
        public init?(_ text: String) {
            guard (1...64).contains(text.unicodeScalars.count) else { return nil }
            self.text = text
        }
    }

    public init(identifier: String, displayName: DisplayName, domains: [MerchantDomain]) {
        self.identifier = identifier
        self.displayName = displayName
        self.domains = domains
    }

    /// The domain of this name among the merchant's. Without a name: the merchant's only one.
    public func domain(named name: String?) -> MerchantDomain? {
        guard let name else { return domains.count == 1 ? domains[0] : nil }
        return MerchantDomain(name).flatMap { domains.contains($0) ? $0 : nil }
    }
}

/// A domain that the merchant registered with Apple, as a fully qualified name in lower case; an internationalized one as its
/// A-label (`xn--…`).
public struct MerchantDomain: Hashable, Sendable, CustomStringConvertible {
    public let name: String

    /// - Returns: nil where the text is no host name of two labels or more (RFC 1123, 2.1): a URL, an address, a port.
    public init?(_ text: String) {
        let labels = text.parts(at: ".")
        guard text.utf8.count <= 253, labels.count >= 2, labels.allSatisfy(Self.isLabel),
            labels.last?.utf8.contains(where: \.isASCIILetter) == true
        else { return nil }
        name = text.lowercasedASCII
    }

    public var description: String { name }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && !label.begins(with: "-") && !label.ends(with: "-")
            && label.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
    }
}
