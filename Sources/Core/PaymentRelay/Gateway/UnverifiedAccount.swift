/// The reason why an account is not charged: no answer of the gateway for it has been verified since this process started.
///
/// If the account's secrets are wrong, every payment would become `uncertain` although the gateway charges it. So nothing is sent for an
/// account before one answer to a question that changes nothing has been verified.
public struct UnverifiedAccount: Error, Sendable, Equatable {
    /// Whether the gateway answers. Then the likely cause is a setting of the account; otherwise the gateway cannot be reached.
    public let isAnswering: Bool
    /// The reason, for operators and backends, without a full stop. It holds no secret.
    public let reason: String

    public init(isAnswering: Bool, reason: String) {
        self.isAnswering = isAnswering
        self.reason = reason
    }
}

extension PaymentRefusal {
    /// The refusal of a payment to an account that is not verified.
    init(_ unverified: UnverifiedAccount) {
        self =
            unverified.isAnswering
            ? .accountUnverified(reason: unverified.reason) : .notSent(reason: unverified.reason)
    }
}

extension OperationRefusal {
    /// The refusal of an operation at an account that is not verified.
    init(_ unverified: UnverifiedAccount) {
        self =
            unverified.isAnswering
            ? .accountUnverified(reason: unverified.reason) : .notSent(reason: unverified.reason)
    }
}
