public import FoundationEssentials

/// The right to work on an open payment. Until it expires nobody but its holder does; then anybody may take the next one.
///
/// Instances compare expiry with their own clocks. A clock that is wrong by more than the margin makes two of them ask
/// about one payment; what keeps the journal right even then is that ``Journal/move(_:receipt:because:)`` writes
/// only where the state is still the one that was looked at.
public struct Lease: Sendable, Equatable {
    /// Which lease of the payment this is. The claim's own is 0, each further one counts up, so that the holder of an
    /// expired lease cannot be taken for the present one. What tells two claims apart is when their leases expire.
    public let number: Int
    public let expiresAt: Date

    public init(number: Int, expiresAt: Date) {
        self.number = number
        self.expiresAt = expiresAt
    }
}
