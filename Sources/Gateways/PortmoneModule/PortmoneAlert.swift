/// Condition that an operator must resolve, because queries alone cannot reconcile this service with Portmone's books.
public enum PortmoneAlert: Sendable, Equatable, CustomStringConvertible {
    /// Several bills of one order have money.
    case chargedSeveralTimes(merchantReference: String, shopBillIDs: [String])

    public var description: String {
        switch self {
        case .chargedSeveralTimes(let reference, let bills):
            "the order \(reference) has several bills with money: \(bills.joined(separator: ", "))"
        }
    }
}
