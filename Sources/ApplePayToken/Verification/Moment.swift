public import struct FoundationEssentials.Date

/// The time at which a token is judged. The clock is always passed in.
public enum Moment: Equatable, Sendable {
    /// The time the signer states: for old tokens, whose freshness is of no interest.
    case signingTime
    /// A given time, usually now.
    case instant(Date)
}
