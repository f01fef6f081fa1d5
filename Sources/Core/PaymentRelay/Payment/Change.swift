public import Crypto
public import FoundationEssentials
import PayrelayPrimitives

/// One step of a payment: the payment before and after it, and everything that is written with it.
/// ``Journal/commit(_:)`` writes it.
///
/// It is a class because it is large: each function that waits while passing it on would keep copies of it.
public final class Change: Sendable {
    /// The payment as it was read; `nil` if the change needs a free reference, because it is a claim, or because an
    /// external payment becomes known.
    public let before: Payment?
    /// The payment after the change. Its version is one more, because the optimistic lock counts changes.
    public let after: Payment
    /// The kind of the history's entry.
    public let kind: EntryKind
    /// The capture, void or refund that the change is about; `nil` for every other kind.
    public let operation: EntryOperation?
    /// The cause of the change.
    public let origin: Origin
    /// Why the change happened, in words for people, if the state does not say so.
    public let reason: String?
    /// An operator's note. It is erased with the customer's data.
    public let note: String?
    /// The event for the merchant's backend, as JSON bytes; `nil` if the backend is not notified.
    public let event: [UInt8]?
    public let at: Date
    /// The verified answer that proves the change; `nil` if no answer does.
    let proof: GatewayAnswer?
    /// The token and the idempotency key that a claim takes; `nil` for a change that is not a claim.
    public let claimed: Claimed?
    /// The redactions that an erasure writes over earlier entries; `nil` for any other change.
    public let redaction: Redaction?
    /// A random number that no other change has. It is kept with the entry, so that a journal that lost its
    /// connection can find out whether it wrote the change.
    public let identifier = Int.random(in: 1...Int.max)

    /// - Parameter after: the payment after the change. Its version is ignored.
    public init(
        before: Payment?, after: Payment, kind: EntryKind, operation: EntryOperation? = nil, origin: Origin,
        reason: String? = nil, note: String? = nil, event: [UInt8]? = nil, at moment: Date,
        provenBy proof: GatewayAnswer? = nil, claimed: Claimed? = nil, redaction: Redaction? = nil
    ) {
        var after = after
        after.version = (before?.version ?? 0) + 1
        self.before = before
        self.after = after
        self.kind = kind
        self.operation = operation
        self.origin = origin
        self.reason = reason
        self.note = note
        self.event = event
        at = moment
        self.proof = proof
        self.claimed = claimed
        self.redaction = redaction
    }

    /// Returns the same change with another payment before it. The change then replaces that payment or, if
    /// `before` is `nil`, needs a free reference.
    func following(_ before: Payment?) -> Change {
        Change(
            before: before, after: after, kind: kind, operation: operation, origin: origin, reason: reason, note: note,
            event: event, at: at, provenBy: proof, claimed: claimed, redaction: redaction)
    }
}

extension Change: Equatable {
    /// Whether the changes are equal apart from their identifiers.
    public static func == (one: Change, other: Change) -> Bool {
        one.before == other.before && one.after == other.after && one.kind == other.kind
            && one.operation == other.operation && one.origin == other.origin && one.reason == other.reason
            && one.note == other.note && one.event == other.event && one.at == other.at && one.proof == other.proof
            && one.claimed == other.claimed && one.redaction == other.redaction
    }
}

extension Change {
    /// The token and the idempotency key that a claim takes, so that no other request can use them.
    public struct Claimed: Sendable, Equatable {
        /// The SHA-256 of the data that Apple signed. It is `nil` if a stored card pays, or for the iOS Simulator,
        /// whose payments all have the same identifier. The journal identifies the token by
        /// ``Change/tokenIdentifier``.
        public let token: SHA256Digest?
        /// The client's `Idempotency-Key`, as journals keep it (``KeyUse``); `nil` if absent.
        public let idempotencyKey: String?

        public init(token: SHA256Digest?, idempotencyKey: String?) {
            self.token = token
            self.idempotencyKey = idempotencyKey
        }
    }

    /// The redactions that an erasure writes over earlier entries. The backends' answers to the payment's events
    /// are erased, too, because they may repeat an event's data. The records of the delivery attempts stay.
    public struct Redaction: Sendable, Equatable {
        /// The events without the customer's data, by the numbers of their entries. An entry without an event has
        /// no element.
        public let events: [Int: [UInt8]]
        /// The number of the last entry whose note is erased.
        public let lastNote: Int

        public init(events: [Int: [UInt8]], lastNote: Int) {
            self.events = events
            self.lastNote = lastNote
        }
    }

    /// The identifier of a claim's token (Apple's step 5): the first 32 bytes of its `transactionId`, in hex; `nil`
    /// without a token.
    ///
    /// Apple signs the identifier with `applicationData` directly after it. So the signature stays valid if
    /// `applicationData` is moved to the end of the identifier. Apple's identifiers have 32 bytes, so only the
    /// first 32 bytes count.
    public var tokenIdentifier: String? {
        claimed?.token.flatMap { _ in after.appleTransactionIdentifier }.map { $0.beginning(64) }
    }

    /// The reason as a database keeps it, with U+FFFD in place of each NUL. A database's text cannot contain NUL,
    /// and a server's message with a NUL must not keep an outcome from being recorded.
    public var storedReason: String? { reason?.storable(upTo: .max) }

    /// Whether the change ends an attempt that was not sent: the charge of the payment, or an operation on it
    /// (``UnsentAttempts``).
    public var endsUnsent: Bool { operation.map { $0.state == nil } ?? (kind == .charge && after.state == .notSent) }
}

/// The cause of a change.
public struct Origin: Sendable, Equatable {
    public let source: HistorySource
    /// The identifier of the HTTP request that causes the change; `nil` if no request does.
    public let request: String?
    /// The operator who makes the request; `nil` if no operator makes it.
    public let operatorName: String?

    /// - Parameter operatorName: the operator's name; `nil` to use the name in the source, if it has one.
    public init(_ source: HistorySource, request: String?, by operatorName: String? = nil) {
        self.source = source
        self.request = request
        self.operatorName = operatorName ?? source.operatorName
    }

    /// - Parameter request: an operator's request.
    init(_ request: OperatorRequest) {
        self.init(.operator(request.operatorName), request: request.identifier)
    }
}

/// The time and the cause of something that becomes known about a payment. The state machine needs both in addition
/// to the input.
struct Occasion: Sendable {
    let at: Date
    let origin: Origin
    /// Whether the merchant's backend is to be notified of changes.
    var recordsEvents = false

    /// Whether the input is the gateway's answer to the charge or the operation itself, and not to a query.
    var isAnswerToRequest: Bool { origin.source == .gatewayAnswer }
}

extension Change {
    /// Creates a change that the state machine decides, with its event.
    ///
    /// The answer to the payment's request ends that request even if something is still open. Then the lease
    /// expires at once, so that the gateway is queried without waiting for the expiry.
    ///
    /// - Parameter statement: an operator's reason for stating the change, if no answer proves it.
    convenience init(
        before: Payment?, after: Payment, kind: EntryKind, operation: EntryOperation? = nil, reason: String?,
        on occasion: Occasion, provenBy proof: GatewayAnswer? = nil, statedBecause statement: OperatorNote? = nil
    ) {
        var after = after
        if occasion.isAnswerToRequest, after.isOpen {
            after.lease = Lease(number: after.lease.number, expiresAt: occasion.at)
        }
        let event =
            occasion.recordsEvents
            ? EventContent(
                before: before, after: after, kind: kind, at: occasion.at, proof: proof, statement: statement
            ).encoded() : nil
        self.init(
            before: before, after: after, kind: kind, operation: operation, origin: occasion.origin, reason: reason,
            note: statement?.text, event: event, at: occasion.at,
            provenBy: proof)
    }
}

extension PaymentRelay {
    /// Returns the occasion of something that becomes known now.
    func occasion(_ origin: Origin) -> Occasion {
        Occasion(at: now(), origin: origin, recordsEvents: policy.recordsEvents)
    }
}
