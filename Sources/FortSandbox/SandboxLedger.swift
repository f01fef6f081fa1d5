/// What was done with an order after its charge, in minor units of its currency.
public struct SandboxLedger: Sendable, Equatable {
    public internal(set) var captured = 0
    public internal(set) var refunded = 0
    public internal(set) var isVoided = false
    /// How often each was carried out.
    public internal(set) var captures = 0
    public internal(set) var refunds = 0
    /// The `maintenance_reference`s of refunds that were carried out. FORT takes each once.
    var refundReferences: Set<String> = []
}
