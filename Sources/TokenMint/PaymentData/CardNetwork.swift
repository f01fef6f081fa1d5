/// The networks whose cards the mint has, by Apple's names (`PKPaymentNetwork`).
public enum CardNetwork: String, CaseIterable, Sendable {
    case visa = "Visa"
    case masterCard = "MasterCard"
    case amEx = "AmEx"
    case mada
    case discover = "Discover"

    /// A published test number; no bank issued it.
    var testAccountNumber: String {
        switch self {
        case .visa: "4111111111111111"
        case .masterCard: "5555555555554444"
        case .amEx: "378282246310005"
        case .mada: "5297410000000002"
        case .discover: "6011111111111117"
        }
    }

    /// The electronic commerce indicator that the network's cards carry; nil where Apple sends none.
    var eciIndicator: String? {
        switch self {
        case .visa: "7"
        case .masterCard, .mada: "2"
        case .amEx, .discover: nil
        }
    }
}
