public import FoundationEssentials
import PayrelayPrimitives

/// A hint as its journal keeps it, with its lease.
public struct PendingHint: Sendable, Equatable {
    /// The newest about the reference.
    public let hint: ProcessorHint
    public let kind: FeedbackKind
    /// Whether hints of other contents came before it, about which the processor was not asked yet.
    public let isMixed: Bool
    /// The processor's numbers of the charges to query by number, as the hints since the last query named them: each once, the oldest
    /// first, at most ``chargeLimit``.
    public let charges: [String]
    /// How many hints came since the last question.
    public let times: Int
    /// How many questions in a row were in vain.
    public let questionsInVain: Int
    /// The end of its lease. It tells this lease from others of the row.
    public let leaseExpiresAt: Date

    public init(
        hint: ProcessorHint, kind: FeedbackKind, isMixed: Bool, charges: [String] = [], times: Int,
        questionsInVain: Int, leaseExpiresAt: Date
    ) {
        self.hint = hint
        self.kind = kind
        self.isMixed = isMixed
        self.charges = charges
        self.times = times
        self.questionsInVain = questionsInVain
        self.leaseExpiresAt = leaseExpiresAt
    }

    /// How many charges of a reference wait to be queried by number: usually the payment's own, and another. Whoever can write
    /// notifications can invent numbers, and each costs a query.
    public static let chargeLimit = 4

    /// Reads the numbers as ``storedCharges`` writes them.
    ///
    /// - Returns: `nil` for a text that no version of this code wrote.
    public static func charges(stored text: String) -> [String]? {
        let numbers = text.parts(at: " ").dropLast().map { String($0) }
        guard text.isEmpty || text.utf8.last == UInt8(ascii: " "), numbers.count <= chargeLimit,
            numbers.allSatisfy(\.isChargeNumber)
        else { return nil }
        return numbers
    }

    /// The numbers as a journal keeps them: ASCII, a space behind each.
    public var storedCharges: String { charges.map { $0 + " " }.joined() }
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
