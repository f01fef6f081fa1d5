public import FoundationEssentials

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

/// End of a hint's lease, which decides what happens to its row.
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
