public import FoundationEssentials
import PayrelayPrimitives

/// Questions to the gateway that changed nothing: those of one asker between two entries of a payment's history, counted.
public struct QueryWithoutChange: Sendable, Equatable {
    /// Result of the latest question.
    public enum Answer: String, Sendable, CaseIterable {
        /// The gateway answered, and the outcome is still open.
        case open
        /// The gateway's answer was already known.
        case unchanged
        /// The gateway did not answer, or its answer proves nothing.
        case unanswered
        /// The gateway answered what cannot be true of the payment, such as another amount: more questions will not settle it.
        case implausible
        /// The gateway's answer contradicts what is recorded, or does not decide what is open although its time is over: more queries
        /// will not settle it. The history has the contradiction.
        case contradictory
        /// No connection to the gateway was made.
        case notSent = "not_sent"
    }

    /// How many entries the payment's history had.
    public let afterEntry: Int
    public let asker: StatusAsker
    public let answer: Answer
    /// The gateway's latest answer in words, or why there was none; bounded, and without the character NUL, so that
    /// every journal can store it. Nil if there is nothing to report.
    public let reason: String?
    public let first: Date
    public let last: Date
    public let times: Int

    public init(
        afterEntry: Int, asker: StatusAsker, answer: Answer, reason: String?, first: Date, last: Date, times: Int
    ) {
        self.afterEntry = afterEntry
        self.asker = asker
        self.answer = answer
        self.reason = reason?.storable(upTo: Self.reasonLimit)
        self.first = first
        self.last = last
        self.times = times
    }

    /// One question.
    init(about payment: Payment, by asker: StatusAsker, answer: Answer, reason: String?, at moment: Date) {
        self.init(
            afterEntry: payment.version, asker: asker, answer: answer, reason: reason, first: moment, last: moment,
            times: 1)
    }

    /// Of how many askers a journal keeps questions after one entry: the newest.
    public static let askersKept = 16

    /// In bytes.
    private static let reasonLimit = 500
}

extension QueryWithoutChange {
    /// Returns the entry with another question's count, answer and time added.
    package func adding(_ query: QueryWithoutChange) -> QueryWithoutChange {
        QueryWithoutChange(
            afterEntry: afterEntry, asker: asker, answer: query.answer, reason: query.reason, first: first,
            last: query.last, times: times + query.times)
    }
}

extension String {
    /// Returns the text in a form that every database can store: whole characters, at most `limit` bytes of UTF-8, with
    /// U+FFFD in place of each NUL.
    package func storable(upTo limit: Int) -> String {
        if utf8.count <= limit, !utf8.contains(0) { return self }
        var (text, length) = (String.UnicodeScalarView(), 0)
        for scalar in unicodeScalars {
            let stored: Unicode.Scalar = scalar == "\0" ? "\u{FFFD}" : scalar
            length += UTF8.width(stored)
            if length > limit { break }
            text.append(stored)
        }
        return String(text)
    }
}
