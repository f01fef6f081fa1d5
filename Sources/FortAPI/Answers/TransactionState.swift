/// What became of an order, as the `transaction_status` of a CHECK_STATUS answer tells.
public enum TransactionState: String, Hashable, Sendable, CaseIterable {
    case authorized
    case captured
    case voided
    case refunded
    /// The authorization or the purchase failed: no money moves.
    case failed
    /// Not decided, or not in words that we know. Ask again.
    case unsettled

    /// - Parameter status: two digits, see ``FortCode/statuses``.
    public init(status: String) {
        self =
            switch status {
            case "02": .authorized
            case "04", "14": .captured
            case "06": .refunded
            case "08": .voided
            case "03", "13": .failed
            default: .unsettled
            }
    }
}
