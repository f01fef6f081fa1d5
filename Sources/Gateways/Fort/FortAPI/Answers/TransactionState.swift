/// The state of an order, from `transaction_status` in an answer to CHECK_STATUS.
public enum TransactionState: String, Hashable, Sendable, CaseIterable {
    case authorized
    case captured
    case voided
    case refunded
    /// The authorization or the purchase failed: no money moved.
    case failed
    /// The outcome is undecided, or the status is unknown: query again.
    case unsettled

    /// Derives the state from a transaction's code, consistent with the code's ``FortCode/class``.
    public init(_ code: FortCode) {
        switch (FortStatus(code.status), code.class.provesNoMoneyMoved) {
        case (.done(let command), _) where code.class == .success: self.init(doneBy: command)
        case (.chargeFailed, true), (.requestInvalid, true), (.walletFailed, true): self = .failed
        default: self = .unsettled
        }
    }

    /// Derives the state from a status and the code beside it.
    ///
    /// - Parameters:
    ///   - status: the status of two digits.
    ///   - code: the code beside the status, if there is one. If there is none, a failure is `unsettled`, because
    ///     money may have moved (13777). If the code begins with another status, the two contradict each other,
    ///     and the state is `unsettled`.
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
