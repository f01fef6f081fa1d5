/// Why JSON is not an Apple Pay token.
public enum TokenDecodingError: Error, Equatable, Sendable {
    /// The token comes from the iOS Simulator, which signs nothing: its `paymentData` is empty.
    case simulator
    /// Every fault that was found, not only the first.
    case faults([Fault])

    /// A field and what is wrong with it.
    public struct Fault: Equatable, Sendable {
        /// The path in Apple's names, for example `paymentData.header.transactionId`; empty for the token itself.
        public let field: String
        /// For a person to read, without the value: `is missing`, `is not base64: …`.
        public let detail: String

        public init(field: String, detail: String) {
            self.field = field
            self.detail = detail
        }
    }
}

extension TokenDecodingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .simulator:
            "this token comes from the iOS Simulator: its paymentData is empty and nothing signs it; "
                + "use a device with a card, or a sandbox token"
        case .faults(let faults):
            faults.map { "\($0.field.isEmpty ? "token" : $0.field) \($0.detail)" }.joined(separator: "; ")
        }
    }
}
