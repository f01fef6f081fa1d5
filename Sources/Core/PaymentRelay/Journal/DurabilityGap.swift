/// Why a committed payment could still be lost. The relay accepts payments all the same, because only the operator
/// decides to stop it.
public enum DurabilityGap: String, Sendable, CaseIterable {
    /// The database has replicas and waits for none of them. A failover may lose the claim of a payment that was
    /// charged (R1).
    case noSynchronousStandby = "no_synchronous_standby"
    /// The database does not wait for its disk. A power failure may lose payments, or damage the whole database
    /// (R5).
    case diskNotAwaited = "disk_not_awaited"

    /// A sentence that describes the gap.
    public var sentence: String {
        switch self {
        case .noSynchronousStandby:
            "the database has replicas and waits for none of them: a failover may lose payments that were charged"
        case .diskNotAwaited:
            "the database does not wait for its disk: a power failure may lose payments that were charged"
        }
    }
}
