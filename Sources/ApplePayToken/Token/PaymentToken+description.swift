import Primitives

extension PaymentToken: CustomStringConvertible, CustomReflectable {
    /// Only what may be logged: the payment's identity, and nothing that could be charged.
    public var description: String {
        "PaymentToken(\(version.rawValue), SHA-256 \(HexText(encoding: Array(digest)).text))"
    }

    /// Without children, so that neither `dump` nor a debug description shows the token.
    public var customMirror: Mirror {
        Mirror(self, children: [])
    }
}
