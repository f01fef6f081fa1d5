import FoundationEssentials
import PaymentRelay
import PayrelayPrimitives
import Synchronization

/// The form of what a change writes, without its values. All changes of one shape share one prepared statement.
struct ChangeShape: Hashable, Sendable {
    /// Whether the payment's row is inserted, instead of updated.
    let isNew: Bool
    let isClaim: Bool
    let columns: PaymentColumns
    let query: QueryChange
    let key: KeyWork
    let movements: Int
    let hasEvent: Bool
    /// Whether receipts and summaries are deleted from earlier entries. The new entry has them, perhaps without the
    /// customer's data.
    let movesAnswer: Bool
    /// How many events are redacted; `nil` if the change is not an erasure.
    let redactedEvents: Int?

    init(of change: WrittenChange) {
        let (before, after) = (change.change.before, change.change.after)
        isNew = before == nil
        isClaim = change.change.claimed != nil
        if let before, change.change.claimed == nil {
            columns = PaymentColumns(changedFrom: before, to: after)
        } else {
            columns = .all
        }
        query = QueryChange(from: change.change.claimed == nil ? before : nil, to: after)
        key = KeyWork(change.change.keyChange)
        movements = change.movements.count
        hasEvent = change.change.event != nil
        movesAnswer = before.map { $0.receipt != nil || !$0.summary.isEmpty } ?? false || change.change.redaction != nil
        redactedEvents = change.change.redaction?.events.count
    }

    /// Whether the statement is kept. Shapes with more redacted events are so rare and so varied that they are
    /// prepared each time.
    var isKept: Bool { redactedEvents ?? 0 <= 4 }

    /// A name that no other shape has. PostgreSQL distinguishes names by their first 63 bytes.
    fileprivate var name: String {
        [
            isClaim ? (isNew ? "claim" : "reclaim") : (isNew ? "add" : "change"), String(columns.mask, radix: 16),
            "\(query)", "\(key)", "\(movements)", hasEvent ? "event" : "silent", movesAnswer ? "moves" : "keeps",
            redactedEvents.map { "\($0)" } ?? "none",
        ].joined(separator: "_")
    }
}

/// The change of the row for the query that is due about a payment.
enum QueryChange {
    /// Nothing of the payment is open, neither before the change nor after it.
    case none
    case stays
    /// The payment, or an operation on it, is open from now on.
    case begins
    /// Nothing of the payment is open any more.
    case ends
    /// The holder of the lease ends the lease: the query is due at another time.
    case moves

    /// - Parameter from: the payment before the change; `nil` if the payment is claimed, or becomes known.
    init(from: Payment?, to: Payment) {
        guard let from else {
            self = to.isOpen ? .begins : .none
            return
        }
        self =
            switch (from.isOpen, to.isOpen) {
            case (false, false): .none
            case (false, true): .begins
            case (true, false): .ends
            case (true, true): from.lease == to.lease ? .stays : .moves
            }
    }
}

/// The change of an idempotency key's row. The key itself is a value of the statement.
enum KeyWork {
    case none, taken, unsentOperation, unsentCharge

    init(_ change: KeyChange?) {
        self =
            switch change {
            case nil: .none
            case .taken: .taken
            case .releasedByOperation: .unsentOperation
            case .releasedByCharge: .unsentCharge
            }
    }
}

/// A change, with the values that are derived from it once.
struct WrittenChange: Sendable {
    let change: Change
    let movements: [Movement]
    /// The redacted events, by the numbers of their entries.
    let redactions: [(number: Int, event: [UInt8])]

    init(_ change: Change) {
        self.change = change
        // The movements of an earlier claim of the reference stay with that claim.
        let before = change.claimed == nil ? change.before : nil
        movements = Movement.made(
            from: before, to: change.after.state, change.after.balance, of: change.after.amount)
        redactions = change.redaction.map { $0.events.map { ($0.key, $0.value) } } ?? []
    }
}

/// The statement for all changes of one shape, with the values of its parameters in their order.
struct CommitStatement: Sendable {
    let statement: Statement
    private let parameters: [@Sendable (WrittenChange) -> Value]

    func values(of change: WrittenChange) -> [Value] { parameters.map { $0(change) } }

    /// - Parameter isKept: whether the statement has a name, under which connections keep it prepared.
    init(for shape: ChangeShape, isKept: Bool) {
        var writer = CommitWriter()
        let parts = writer.parts(of: shape)
        parameters = writer.parameters
        statement = Statement(
            isKept ? shape.name : nil,
            // The second time, the payment no longer has the version that was read. The journal then finds the
            // entry that the first run wrote.
            isRepeatable: !shape.isNew && !shape.isClaim,
            sharesCommits: true,
            // An erasure must also erase a backend's answer that is being written at this moment.
            locksPayment: shape.redactedEvents != nil,
            obstacle: shape.key == .taken ? "SELECT 1 FROM idempotency_key WHERE owned_key = \(writer.key)" : nil,
            parts: parts)
    }
}

/// The statements of changes, kept because making a statement takes longer than running it. Payments have a few dozen shapes
/// of changes. So that nothing can make many more, neither here nor on the connections that prepare them, shapes beyond a limit
/// are prepared each time.
final class CommitStatements: Sendable {
    private let known = Mutex<[ChangeShape: CommitStatement]>([:])
    private static var keptAtMost: Int { 256 }

    subscript(_ shape: ChangeShape) -> CommitStatement {
        if let statement = known.withLock({ $0[shape] }) { return statement }
        return known.withLock { known in
            let isKept = shape.isKept && known.count < Self.keptAtMost
            let statement = CommitStatement(for: shape, isKept: isKept)
            if isKept { known[shape] = statement }
            return statement
        }
    }
}

/// Writes the parts of a commit, and collects the functions that return the values of their parameters.
private struct CommitWriter {
    private(set) var parameters: [@Sendable (WrittenChange) -> Value] = []

    // Parameters that several parts share. The reference is the first one (`Statement.sharesCommits`).
    private let reference, version, at: String
    private(set) var key = ""

    init() {
        (reference, version, at) = ("$1", "$2", "$3")
        parameters = [
            { .text($0.change.after.merchantReference) }, { .integer($0.change.after.version) },
            { .moment($0.change.at) },
        ]
    }

    private mutating func parameter(_ value: @escaping @Sendable (WrittenChange) -> Value) -> String {
        parameters.append(value)
        return "$\(parameters.count)"
    }

    mutating func parts(of shape: ChangeShape) -> [Statement.Part] {
        if shape.key == .taken || shape.key == .unsentOperation {
            key = parameter { .text($0.change.keyChange?.key) }
        }
        return [payment(shape)] + keys(shape.key) + queries(shape.query) + movements(shape.movements)
            + (shape.hasEvent ? [delivery()] : []) + redaction(shape) + [entry()]
    }

    /// Writes a payment's row, unless its reference or token is taken, or the payment is no longer the one that was
    /// read.
    ///
    /// If two concurrent changes have the same key, neither sees the other's row, and the primary key of the keys'
    /// table refuses the second change as a whole. For every later change there is the obstacle, because a refusal
    /// would undo the other statements that share the commit.
    private mutating func payment(_ shape: ChangeShape) -> Statement.Part {
        var columns = shape.columns.columns.map { column in
            Statement.ColumnValue(column.name, parameter { column.value($0.change) })
        }
        columns.append(Statement.ColumnValue("version", version))
        guard !shape.isNew else {
            return .insert(
                into: "payment", [Statement.ColumnValue("merchant_reference", reference)] + columns,
                onConflict: "DO NOTHING")
        }
        let before = parameter { .integer($0.change.before?.version) }
        let claimedAt = parameter { .moment($0.change.before?.claimedAt) }
        // Archiving a payment does not change its version.
        let condition = shape.isClaim ? " AND archived IS NULL" : ""
        return .update(
            "payment", set: columns,
            where: """
                merchant_reference = \(reference) AND version = \(before) AND claimed_at = \(claimedAt)\(condition)
                """)
    }

    private mutating func keys(_ work: KeyWork) -> [Statement.Part] {
        switch work {
        case .none: []
        case .taken:
            [
                .insert(
                    into: "idempotency_key",
                    [
                        .init("owned_key", key), .init("merchant_reference", reference),
                        .init("operation", parameter { .text($0.change.keyChange?.operation) }),
                    ])
            ]
        case .unsentOperation:
            [.delete(from: "idempotency_key", where: "merchant_reference = \(reference) AND owned_key = \(key)")]
        case .unsentCharge:
            [.delete(from: "idempotency_key", where: "merchant_reference = \(reference) AND operation IS NULL")]
        }
    }

    private mutating func queries(_ change: QueryChange) -> [Statement.Part] {
        switch change {
        case .none, .stays: return []
        case .begins:
            return [
                .insert(
                    into: "work",
                    [
                        .init("kind", "'query'"), .init("merchant_reference", reference), .init("account", "''"),
                        .init("gateway", parameter { .text($0.change.after.gateway) }),
                        .init("due_at", parameter { .moment($0.change.after.lease.expiresAt) }),
                        .init("attempt", parameter { .integer($0.change.after.lease.number) }),
                        .init("since", parameter { .moment($0.change.after.openSince) }), .init("entry", "0"),
                        .init("newest", "0"),
                    ],
                    onConflict: """
                        (kind, merchant_reference, account) DO UPDATE SET gateway = excluded.gateway,
                            due_at = excluded.due_at, attempt = excluded.attempt, since = excluded.since
                        """)
            ]
        case .ends: return [.delete(from: "work", where: Statement.row(.query))]
        case .moves:
            let number = parameter { .integer($0.change.before?.lease.number) }
            let expiry = parameter { .moment($0.change.before?.lease.expiresAt) }
            return [
                .update(
                    "work", set: [.init("due_at", parameter { .moment($0.change.after.lease.expiresAt) })],
                    where: "\(Statement.row(.query)) AND attempt = \(number) AND due_at = \(expiry)")
            ]
        }
    }

    private mutating func movements(_ count: Int) -> [Statement.Part] {
        guard count > 0 else { return [] }
        let account = parameter { .text($0.change.after.account) }
        let currency = parameter { .text($0.change.after.currency) }
        return (0..<count).map { place in
            .insert(
                into: "movement",
                [
                    .init("merchant_reference", reference), .init("entry", version), .init("account", account),
                    .init("currency", currency), .init("at", at),
                    .init("kind", parameter { .integer($0.movements[place].kind.rawValue) }),
                    .init("amount", parameter { .integer($0.movements[place].amount.value) }),
                ])
        }
    }

    /// Adds the event to the events to deliver.
    ///
    /// The row of the work must show whether an event is left. A session that acknowledges an event while another
    /// is being added waits for this row and reads it again, but would not see the new entry of the history. A
    /// dead-lettered payment becomes due again.
    private mutating func delivery() -> Statement.Part {
        .insert(
            into: "work",
            [
                .init("kind", "'deliver'"), .init("merchant_reference", reference), .init("account", "''"),
                .init("gateway", "''"), .init("due_at", at), .init("attempt", "0"), .init("since", at),
                .init("entry", parameter { .integer($0.change.after.version - 1) }), .init("newest", version),
            ],
            onConflict: """
                (kind, merchant_reference, account) DO UPDATE SET newest = excluded.newest,
                    attempt = CASE WHEN work.due_at IS NULL THEN 0 ELSE work.attempt END,
                    due_at = coalesce(work.due_at, excluded.due_at), since = coalesce(work.since, excluded.since)
                """)
    }

    /// Writes over earlier entries. It is one update, because PostgreSQL changes a row only once in a statement.
    private mutating func redaction(_ shape: ChangeShape) -> [Statement.Part] {
        guard shape.movesAnswer else { return [] }
        let earlier = "merchant_reference = \(reference) AND number < \(version)"
        var columns: [Statement.ColumnValue] = [.init("receipt", "NULL"), .init("summary", "NULL")]
        guard let count = shape.redactedEvents else {
            let hasAnswer = "(receipt IS NOT NULL OR summary IS NOT NULL)"
            return [.update("history", set: columns, where: "\(earlier) AND \(hasAnswer)")]
        }
        let lastNote = parameter { .integer($0.change.redaction?.lastNote) }
        columns.append(.init("note", "CASE WHEN number <= \(lastNote) THEN NULL ELSE note END"))
        if count > 0 {
            let events = (0..<count).map { place in
                let number = parameter { .integer($0.redactions[place].number) }
                return "WHEN \(number) THEN \(parameter { .bytes($0.redactions[place].event) })"
            }
            let event = "CASE number \(events.joined(separator: " ")) ELSE event END"
            columns.append(.init("event", "CASE WHEN event IS NOT NULL THEN \(event) END"))
        }
        return [
            .update("history", set: columns, where: earlier),
            .update(
                "event_delivery", set: [.init("answer", "NULL")],
                where: "merchant_reference = \(reference) AND answer IS NOT NULL"),
        ]
    }

    private mutating func entry() -> Statement.Part {
        .insert(
            into: "history",
            [
                .init("merchant_reference", reference), .init("number", version), .init("at", at),
                .init("state", parameter { .text($0.change.after.state.rawValue) }),
                .init("captured", parameter { .integer($0.change.after.balance.captured.value) }),
                .init("refunded", parameter { .integer($0.change.after.balance.refunded.value) }),
                .init("source", parameter { .text($0.change.origin.source.text) }),
                .init("kind", parameter { .text($0.change.kind.text) }),
                .init("operation", parameter { .text($0.change.operation?.identifier) }),
                .init("operation_state", parameter { .text($0.change.operation?.state?.rawValue) }),
                .init("reason", parameter { .text($0.change.storedReason) }),
                .init("request_identifier", parameter { .text($0.change.origin.request) }),
                .init("operator", parameter { .text($0.change.origin.operatorName) }),
                .init("event", parameter { .bytes($0.change.event) }),
                .init("receipt", parameter { .bytes($0.change.after.receipt) }),
                .init("summary", parameter { .bytes(PaymentColumn.stored($0.change.after.summary)) }),
                .init("note", parameter { .text($0.change.note) }), .init("times", "1"),
                .init("change_identifier", parameter { .integer($0.change.identifier) }),
            ])
    }
}

extension KeyChange {
    fileprivate var key: String? {
        switch self {
        case .taken(let key, _), .releasedByOperation(let key): key
        case .releasedByCharge: nil
        }
    }

    fileprivate var operation: String? { if case .taken(_, let operation) = self { operation } else { nil } }
}
