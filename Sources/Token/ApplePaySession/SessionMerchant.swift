import PayrelayPrimitives

/// The merchant that requests sessions: its name on the pay sheet, and its web sites.
public struct SessionMerchant: Hashable, Sendable {
    /// Apple's merchant identifier, such as `merchant.com.example.shop`.
    public let identifier: String
    public let displayName: DisplayName
    /// The domains for which sessions are requested. A session opens the pay sheet in the merchant's name, so
    /// there are none for other domains.
    public let domains: [MerchantDomain]

    /// The merchant's name on the pay sheet.
    public struct DisplayName: Hashable, Sendable {
        public let text: String

        /// - Returns: `nil` if the text is empty, or longer than the 64 characters that Apple accepts.
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

    /// Returns the merchant's domain with this name; `nil` if the merchant does not have it. Without a name,
    /// returns the merchant's only domain; `nil` if there are several.
    public func domain(named name: String?) -> MerchantDomain? {
        guard let name else { return domains.count == 1 ? domains[0] : nil }
        return MerchantDomain(name).flatMap { domains.contains($0) ? $0 : nil }
    }
}

/// A domain that the merchant registered with Apple, as a fully qualified name in lower case. An
/// internationalized domain is given as its A-label (`xn--…`).
public struct MerchantDomain: Hashable, Sendable, CustomStringConvertible {
    public let name: String

    /// - Returns: `nil` if the text is not a host name of at least two labels (RFC 1123, 2.1), such as a URL, an
    ///   address or a port.
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
