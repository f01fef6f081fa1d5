import FoundationEssentials

/// The next step for a hint, given the payment that the journal has. It is decided without I/O.
enum HintPlan: Equatable {
    /// The reference is unknown, so the answer to a query may make an external payment known.
    case queryUnknown
    /// The payment is in another account than the hint's, so the answer only serves to find a charge there.
    case queryOtherAccount
    /// A request about the payment is on its way. Its answer usually says what the hint says.
    case waitForAnswer
    /// The hint says only what is known.
    case nothing
    case query(Payment)

    /// - Parameters:
    ///   - payment: the payment with the hint's reference; `nil` if the reference is unknown.
    ///   - account: the account that charged the payment; `nil` if it is no longer configured.
    init(for pending: PendingHint, about payment: Payment?, in account: String?, at now: Date) {
        guard let payment else {
            self = .queryUnknown
            return
        }
        let hint = pending.hint
        if account != hint.account {
            self = .queryOtherAccount
        } else if payment.isBeingSent, payment.lease.expiresAt > now {
            self = .waitForAnswer
        } else if !pending.isMixed, payment.knows(hint, account: hint.account) {
            self = .nothing
        } else {
            self = .query(payment)
        }
    }
}
