import FoundationEssentials

extension PaymentRelay {
    /// How many references of a processor may have a hint at a time, so that a flood of them does not grow the journal.
    static let hintLimit = 10_000

    /// Whether a hint says nothing but what is known: then it needs no question.
    public func knows(_ hint: ProcessorHint) async throws(JournalError) -> Bool {
        guard let payment = try await journal.payment(hint.merchantReference) else { return false }
        return payment.knows(hint, account: processors.account(of: payment))
    }

    /// R11: records a hint, so that the processor is asked about its payment, soon and once for many hints. The hint itself changes nothing.
    ///
    /// A hint of an account that is not configured is dropped: no processor could be asked.
    ///
    /// - Parameter kind: by which of the processor's addresses it came.
    /// - Returns: false if too many of the processor's references wait or rest, or if hints about this reference name too many charges;
    ///   then nothing was recorded, and the notification is to be sent again.
    public func record(_ hint: ProcessorHint, kind: FeedbackKind) async throws(JournalError) -> Bool {
        guard let processor = processors.processor(ofAccount: hint.account) else { return true }
        let charge = hint.processorReference.flatMap { processor.canQuery(charge: $0) ? $0 : nil }
        return try await journal.add(
            hint, of: processor.name, charge: charge, kind: kind, at: now(), limit: Self.hintLimit)
    }
}
