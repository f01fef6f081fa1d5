/// Why an account is not charged: no answer of the gateway for it has been verified since this process started.
///
/// If the account's secrets were wrong, every payment would become `uncertain` although the gateway charges it. So
/// nothing is sent for an account until one answer to a query, which changes nothing, has been verified.
public struct UnverifiedAccount: Error, Sendable, Equatable {
    /// Whether the gateway answers. If so, a setting of the account is probably wrong; otherwise the gateway cannot
    /// be reached.
    public let isAnswering: Bool
    /// The reason, for operators and backends, without a full stop. It contains no secret.
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
