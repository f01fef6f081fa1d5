public import FoundationEssentials
import PayrelayPrimitives

/// The result of one delivery of an event, as the journal keeps it.
public struct DeliveryAttempt: Sendable, Equatable {
    /// The result of the attempt: the backend's response, or none.
    public enum Result: String, Sendable, CaseIterable {
        case acknowledged, refused, unanswered
    }

    /// When the attempt began.
    public let at: Date
    public let result: Result
    /// Where the event was sent. The URL's query is left out, because it may contain a key.
    public let endpoint: String
    /// The HTTP status; `nil` if there was no answer.
    public let status: Int?
    /// Why there was no answer; `nil` if there was one.
    public let error: String?
    /// How long the attempt took, in milliseconds.
    public let milliseconds: Int
    /// The beginning of a refusing backend's answer: at most ``answerLimit`` bytes of text.
    public let answer: String?
    /// When the event was to be sent again; `nil` if it was acknowledged, or dead-lettered by this attempt.
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

    /// How many of an event's attempts a journal keeps: the newest. All attempts are counted.
    public static let kept = 10

    /// The limit of ``answer``, in bytes. The next two limits are in bytes, too.
    public static let answerLimit = 1_024
    private static let errorLimit = 500
    private static let endpointLimit = 500
}

/// The result of one delivery, as the receiver reports it.
public struct DeliveryResult: Sendable, Equatable {
    public let reception: EventReception
    /// Where the event was sent, without the secret parts of the address.
    public let endpoint: String
    /// The HTTP status; `nil` if there was no answer.
    public let status: Int?
    /// The beginning of the answer, if it helps to find out why the event was not acknowledged. Bytes that are not
    /// text, or would control a terminal, are replaced. The receiver's keys are not in it.
    public let answer: String?

    public init(_ reception: EventReception, endpoint: String = "", status: Int? = nil, answer: String? = nil) {
        self.reception = reception
        self.endpoint = endpoint
        self.status = status
        self.answer = answer
    }
}

/// How far the delivery of a payment's events has come.
public struct EventProgress: Sendable, Equatable {
    /// The attempts to deliver one event.
    public struct Attempts: Sendable, Equatable {
        /// The number of all attempts, including those that are not kept.
        public var count: Int
        /// The newest attempts that can be read, oldest first; at most ``DeliveryAttempt/kept``.
        public var newest: [DeliveryAttempt]

        public init(count: Int = 0, newest: [DeliveryAttempt] = []) {
            self.count = count
            self.newest = newest
        }
    }

    /// The number of the entry of the history up to which no event waits, counted from 1.
    public let acknowledged: Int
    /// When the first waiting event is sent next or, if its delivery is under way, when that delivery ends at the
    /// latest. `nil` if no event waits, or the payment is dead-lettered.
    public let dueAt: Date?
    public let isDeadLettered: Bool
    /// The attempts for each event, by the number of its entry.
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
