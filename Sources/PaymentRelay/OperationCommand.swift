/// What can be done with a payment once it is authorized. The raw value is FORT's `command`.
public enum OperationCommand: String, Sendable, CaseIterable {
    /// Take money that the authorization holds, all or part of it.
    case capture = "CAPTURE"
    /// Let go of what the authorization holds, as long as nothing of it was captured.
    case voidAuthorization = "VOID_AUTHORIZATION"
    /// Give back money that was taken, all or part of it.
    case refund = "REFUND"
}
