/// A bill's `status`, as Portmone's own plugin names them. Any other text proves nothing.
public enum PortmoneStatus: String, Sendable, CaseIterable {
    /// The customer was sent to the bank's page; nothing is paid.
    case created = "CREATED"
    /// The money is held.
    case preauthorized = "PREAUTH"
    case payed = "PAYED"
    /// The charge failed, or what was held was let go of.
    case rejected = "REJECTED"
    /// Money was given back. Which part of it, the status does not say.
    case returned = "RETURN"

    /// Whether money is held, or was taken at least for a while.
    public var hasMoney: Bool {
        switch self {
        case .preauthorized, .payed, .returned: true
        case .created, .rejected: false
        }
    }
}
