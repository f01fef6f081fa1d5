/// A difference between this service's and Portmone's books that queries cannot resolve, so an operator must look
/// into it.
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
