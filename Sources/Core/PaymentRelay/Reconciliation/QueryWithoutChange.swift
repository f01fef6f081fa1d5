public import FoundationEssentials
import PayrelayPrimitives

/// Queries to the gateway that changed nothing, as a count: those of one requester between two entries of a
/// payment's history.
public struct QueryWithoutChange: Sendable, Equatable {
    /// The result of the latest query.
    public enum Answer: String, Sendable, CaseIterable {
        /// The gateway answered, and the outcome is still open.
        case open
        /// The gateway's answer was already known.
        case unchanged
        /// The gateway did not answer, or its answer proves nothing.
        case unanswered
        /// The gateway's answer cannot be true of the payment, for example because of another amount. More queries
        /// will not settle the payment.
        case implausible
        /// The gateway's answer contradicts the record, or leaves the open payment undecided although the time for
        /// a decision is over. More queries will not settle it. The history has the contradiction.
        case contradictory
        /// No connection to the gateway was made.
        case notSent = "not_sent"
    }

    /// How many entries the payment's history had at the time.
    public let afterEntry: Int
    public let requester: StatusRequester
    public let answer: Answer
    /// The gateway's latest answer in words, or why there was none. The text is bounded and contains no NUL, so
    /// that every journal can store it. `nil` if there is nothing to report.
    public let reason: String?
    public let first: Date
    public let last: Date
    public let times: Int

    public init(
        afterEntry: Int, requester: StatusRequester, answer: Answer, reason: String?, first: Date, last: Date, times: Int
    ) {
        self.afterEntry = afterEntry
        self.requester = requester
        self.answer = answer
        self.reason = reason?.storable(upTo: Self.reasonLimit)
        self.first = first
        self.last = last
        self.times = times
    }

    /// Creates the count of one query.
    init(about payment: Payment, by requester: StatusRequester, answer: Answer, reason: String?, at moment: Date) {
        self.init(
            afterEntry: payment.version, requester: requester, answer: answer, reason: reason, first: moment, last: moment,
            times: 1)
    }

    /// The maximum number of requesters whose queries a journal keeps for one entry of the history. If there are
    /// more, the requester whose last query is oldest is dropped.
    public static let requestersKept = 16

    /// The limit of ``reason``, in bytes.
    private static let reasonLimit = 500
}

extension QueryWithoutChange {
    /// Returns the count with another query's count, answer and time added.
    package func adding(_ query: QueryWithoutChange) -> QueryWithoutChange {
        QueryWithoutChange(
            afterEntry: afterEntry, requester: requester, answer: query.answer, reason: query.reason, first: first,
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
