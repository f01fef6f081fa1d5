/// Why a committed payment could still be lost. The relay still takes payments: to stop it is the operator's decision.
public enum DurabilityGap: String, Sendable, CaseIterable {
    /// It has replicas and waits for none of them: a failover may lose the claim of a payment that was charged (R1).
    case noSynchronousStandby = "no_synchronous_standby"
    /// It does not wait for its disk: a power failure may lose payments, or damage all of it (R5).
    case diskNotAwaited = "disk_not_awaited"

    /// A sentence about "the database".
    public var sentence: String {
        switch self {
        case .noSynchronousStandby:
            "the database has replicas and waits for none of them: a failover may lose payments that were charged"
        case .diskNotAwaited:
            "the database does not wait for its disk: a power failure may lose payments that were charged"
        }
    }
}
