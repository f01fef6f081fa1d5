public import FoundationEssentials

/// A hint's row as a journal reads it, not yet validated.
public struct HintRecord: Sendable {
    public var merchantReference: String
    public var account: String
    /// See ``ProcessorHint/storedText``.
    public var text: String
    public var kind: String
    public var isMixed: Bool
    public var times: Int
    public var questionsInVain: Int

    public init(
        merchantReference: String, account: String, text: String, kind: String, isMixed: Bool, times: Int,
        questionsInVain: Int
    ) {
        self.merchantReference = merchantReference
        self.account = account
        self.text = text
        self.kind = kind
        self.isMixed = isMixed
        self.times = times
        self.questionsInVain = questionsInVain
    }

    /// Nil where a column holds what no version of this code wrote.
    ///
    /// - Parameter expiry: of the lease that was just written.
    public func hint(leasedUntil expiry: Date) -> PendingHint? {
        guard let hint = ProcessorHint(account: account, merchantReference: merchantReference, storedText: text),
            let kind = FeedbackKind(rawValue: kind), (1...PaymentRecord.countLimit).contains(times),
            (0...PaymentRecord.countLimit).contains(questionsInVain)
        else { return nil }
        return PendingHint(
            hint: hint, kind: kind, isMixed: isMixed, times: times, questionsInVain: questionsInVain,
            leaseExpiresAt: EpochMilliseconds(expiry).date)
    }
}
