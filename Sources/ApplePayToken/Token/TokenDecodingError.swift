public import Primitives

/// Why JSON is not an Apple Pay token.
public enum TokenDecodingError: Error, Equatable, Sendable {
    /// The token comes from the iOS Simulator, which signs nothing: its `paymentData` is empty.
    case simulator
    /// Every error that was found, not only the first, under the path in Apple's names, for example
    /// `paymentData.header.transactionId`; empty for the token itself.
    case faults([ValidationError])
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
