public import FoundationEssentials
import PayrelayPrimitives

/// How one delivery of an event went, as the journal keeps it.
public struct DeliveryAttempt: Sendable, Equatable {
    /// Result of the attempt: the backend's response, or none.
    public enum Result: String, Sendable, CaseIterable {
        case acknowledged, refused, unanswered
    }

    /// When it began.
    public let at: Date
    public let result: Result
    /// Where it was sent, without a query, which may hold a key.
    public let endpoint: String
    /// HTTP's; nil where there was no answer.
    public let status: Int?
    /// Why there was no answer.
    public let error: String?
    /// How long it took, in milliseconds.
    public let milliseconds: Int
    /// How the answer of a backend that did not acknowledge begins: at most ``answerLimit`` bytes of text.
    public let answer: String?
    /// When the event was to be sent again; nil where it was acknowledged, or dead-lettered by this attempt.
    public let nextAt: Date?

    public init(
        at: Date, result: Result, endpoint: String, status: Int? = nil, error: String? = nil, milliseconds: Int,
        answer: String? = nil, nextAt: Date? = nil
    ) {
        self.at = at
        self.result = result
        self.endpoint = endpoint
        self.status = status
        self.error = error
        self.milliseconds = milliseconds
        self.answer = answer
        self.nextAt = nextAt
    }

    init(of delivered: DeliveryResult, at moment: Date, taking duration: Duration, nextAt: Date?) {
        let (result, error): (Result, String?) =
            switch delivered.reception {
            case .acknowledged: (.acknowledged, nil)
            case .refused: (.refused, nil)
            case .unanswered(let reason): (.unanswered, reason.storable(upTo: Self.errorLimit))
            }
        self.init(
            at: moment, result: result, endpoint: delivered.endpoint.storable(upTo: Self.endpointLimit),
            status: delivered.status, error: error,
            milliseconds: Int(max(0, min(duration.milliseconds.rounded(), 1e15))),
            answer: result == .refused ? delivered.answer?.storable(upTo: Self.answerLimit) : nil, nextAt: nextAt)
    }

    /// How many of an event's attempts a journal keeps: the newest. It counts all.
    public static let kept = 10

    /// In bytes, as the next two.
    public static let answerLimit = 1_024
    private static let errorLimit = 500
    private static let endpointLimit = 500
}

/// How an event's delivery went, as its receiver tells it.
public struct DeliveryResult: Sendable, Equatable {
    public let reception: EventReception
    /// Where it was sent, without what is secret in the address.
    public let endpoint: String
    /// HTTP's; nil where there was no answer.
    public let status: Int?
    /// How the answer begins, where that helps to find out why it is no acknowledgement. What is not text or would steer a terminal is
    /// replaced in it, and nothing of the receiver's keys is in it.
    public let answer: String?

    public init(_ reception: EventReception, endpoint: String = "", status: Int? = nil, answer: String? = nil) {
        self.reception = reception
        self.endpoint = endpoint
        self.status = status
        self.answer = answer
    }
}

/// How far a payment's events have come.
public struct EventProgress: Sendable, Equatable {
    /// The attempts at one event.
    public struct Attempts: Sendable, Equatable {
        /// All of them, however many are kept.
        public var count: Int
        /// The newest ones that can be read, oldest first; at most ``DeliveryAttempt/kept``.
        public var newest: [DeliveryAttempt]

        public init(count: Int = 0, newest: [DeliveryAttempt] = []) {
            self.count = count
            self.newest = newest
        }
    }

    /// Up to which entry of the history no event waits, counted from 1.
    public let acknowledged: Int
    /// When the first that was not is sent next, or when its delivery that is under way ends at the latest. Nil where nothing waits,
    /// or where the payment is dead-lettered.
    public let dueAt: Date?
    public let isDeadLettered: Bool
    /// By the number of the entry.
    public let attempts: [Int: Attempts]

    public init(
        acknowledged: Int = 0, dueAt: Date? = nil, isDeadLettered: Bool = false, attempts: [Int: Attempts] = [:]
    ) {
        self.acknowledged = acknowledged
        self.dueAt = dueAt
        self.isDeadLettered = isDeadLettered
        self.attempts = attempts
    }
}

extension [DeliveryAttempt] {
    package mutating func keep(last count: Int) { removeFirst(Swift.max(0, self.count - count)) }
}
