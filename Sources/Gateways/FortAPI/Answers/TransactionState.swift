/// The order's state in the `transaction_status` of an answer to CHECK_STATUS.
public enum TransactionState: String, Hashable, Sendable, CaseIterable {
    case authorized
    case captured
    case voided
    case refunded
    /// The authorization or the purchase failed: no money moves.
    case failed
    /// Undecided, or an unknown status: query again.
    case unsettled

    /// Derives the state from a transaction's code, in agreement with the code's ``FortCode/class``.
    public init(_ code: FortCode) {
        switch (FortStatus(code.status), code.class.provesNoMoneyMoved) {
        case (.done(let command), _) where code.class == .success: self.init(doneBy: command)
        case (.chargeFailed, true), (.requestInvalid, true), (.walletFailed, true): self = .failed
        default: self = .unsettled
        }
    }

    /// - Parameters:
    ///   - status: two digits.
    ///   - code: what stands beside it, if anything. Without a code that says why, a failure may be one after which money
    ///     moved (13777): it is unsettled. Where the code is not the status's, they contradict each other.
    public init(status: String, code: String? = nil) {
        if let code {
            self = FortCode(code).flatMap { $0.status == status ? TransactionState($0) : nil } ?? .unsettled
        } else if case .done(let command) = FortStatus(status) {
            self.init(doneBy: command)
        } else {
            self = .unsettled
        }
    }

    private init(doneBy command: FortCommand) {
        self =
            switch command {
            case .authorization: .authorized
            case .purchase, .capture: .captured
            case .voidAuthorization: .voided
            case .refund: .refunded
            case .checkStatus, .sdkToken: .unsettled
            }
    }
}
