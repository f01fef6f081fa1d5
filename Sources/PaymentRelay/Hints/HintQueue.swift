public import FoundationEssentials

/// The part of a journal that keeps hints (``ProcessorHint``) until the processor has been asked about them. Nothing of a payment is
/// changed by it.
///
/// A reference of an account has one row, however many hints there are about it: they lead to one question. A row without an
/// unanswered hint rests: it remembers how often the processor was asked in vain, so that repeated hints lead to fewer and fewer questions.
public protocol HintQueue: Sendable {
    /// Adds a hint. It is due at once, or when the rest of its row ends.
    ///
    /// - Parameters:
    ///   - kind: by which of the processor's addresses it came.
    ///   - limit: how many rows there may be. A row for another reference is added only while there are fewer.
    /// - Returns: false where there is no room; then nothing was written.
    func add(
        _ hint: ProcessorHint, kind: FeedbackKind, at moment: Date, limit: Int
    ) async throws(JournalError) -> Bool

    /// Leases hints that are due by `moment`, the longest due first. Until `expiry` no other instance gets them. Rows that no version of
    /// this code wrote are deleted: a hint proves nothing, and the processor's next one, or a reconciliation report, makes up for it.
    func leaseHints(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [PendingHint]

    /// Ends the lease of a hint. Without effect where it has expired and the row was leased again or deleted.
    ///
    /// Where another hint about the same reference came meanwhile, the row is due again: at once, or when its rest ends.
    func end(_ pending: PendingHint, as end: HintEnd, at moment: Date) async throws(JournalError)

    /// How many hints wait to be asked about, leased or not, and since when the longest waits.
    func hintSummary() async throws(JournalError) -> HintSummary

    /// Deletes rows whose rest ended before `moment`.
    func deleteRestedHints(before moment: Date) async throws(JournalError)
}

/// A hint as its journal keeps it, with its lease.
public struct PendingHint: Sendable, Equatable {
    /// The newest about the reference.
    public let hint: ProcessorHint
    public let kind: FeedbackKind
    /// Whether hints of other contents came before it, about which the processor was not asked yet.
    public let isMixed: Bool
    /// How many hints came since the last question.
    public let times: Int
    /// How many questions in a row were in vain.
    public let questionsInVain: Int
    /// The end of its lease. It tells this lease from others of the row.
    public let leaseExpiresAt: Date

    public init(
        hint: ProcessorHint, kind: FeedbackKind, isMixed: Bool, times: Int, questionsInVain: Int, leaseExpiresAt: Date
    ) {
        self.hint = hint
        self.kind = kind
        self.isMixed = isMixed
        self.times = times
        self.questionsInVain = questionsInVain
        self.leaseExpiresAt = leaseExpiresAt
    }
}

/// What becomes of a hint's row.
public enum HintEnd: Sendable, Equatable {
    /// It is deleted: the question said something new, or none was needed.
    case answered
    /// The question was in vain, which is counted. The processor is not asked about the reference again before that moment.
    case inVain(restUntil: Date)
    /// There was no answer, or the question cannot be asked yet. It is due again at that moment.
    case postponed(until: Date)
}

/// How many hints wait.
public struct HintSummary: Sendable, Equatable {
    public let count: Int
    /// When the hint came that has waited longest.
    public let oldest: Date?

    public init(count: Int = 0, oldest: Date? = nil) {
        self.count = count
        self.oldest = oldest
    }
}
