/// A bill's `status`, under the names that Portmone's plugin uses. Any other text proves nothing.
public enum PortmoneStatus: String, Sendable, CaseIterable {
    /// The customer was sent to the bank's page; nothing is paid.
    case created = "CREATED"
    /// The money is held.
    case preauthorized = "PREAUTH"
    case payed = "PAYED"
    /// The charge failed, or the hold was released.
    case rejected = "REJECTED"
    /// Money was given back. The status does not say how much.
    case returned = "RETURN"

    /// Whether money is held, or was taken, even if it was given back later.
    public var hasMoney: Bool {
        switch self {
        case .preauthorized, .payed, .returned: true
        case .created, .rejected: false
        }
    }
}
