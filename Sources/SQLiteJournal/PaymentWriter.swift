import GRDB
import PaymentRelay
import PayrelayPrimitives

/// Writes payments and their history on the writer's connection, inside its transaction.
///
/// What every payment needs is prepared once; GRDB does what is rare.
final class PaymentWriter {
    let database: Database
    private let claimStatement: PreparedStatement
    private let reclaimStatement: PreparedStatement
    private let transitionStatement: PreparedStatement
    private let transitionWithEventStatement: PreparedStatement
    private let freeStatement: PreparedStatement
    private let entryStatement: PreparedStatement
    let movementStatement: PreparedStatement
    let searchKeyStatement: PreparedStatement
    let newEntriesStatement: PreparedStatement
    /// Since keys were last moved. Those of a transaction that was undone are counted too.
    var entriesWithNewKeys = 0

    init(_ database: Database) throws {
        self.database = database
        claimStatement = try PreparedStatement(PaymentSQL.claim, on: database)
        reclaimStatement = try PreparedStatement(PaymentSQL.reclaim, on: database)
        transitionStatement = try PreparedStatement(PaymentSQL.transition(withEvent: false), on: database)
        transitionWithEventStatement = try PreparedStatement(PaymentSQL.transition(withEvent: true), on: database)
        freeStatement = try PreparedStatement(PaymentSQL.free, on: database)
        entryStatement = try PreparedStatement(PaymentSQL.entry, on: database)
        movementStatement = try PreparedStatement(PaymentSQL.movement, on: database)
        searchKeyStatement = try PreparedStatement(SearchKeySQL.insert, on: database)
        newEntriesStatement = try PreparedStatement(SearchKeySQL.newEntries, on: database)
    }

    /// Writes a claim and its entry, unless its reference, token or key is taken.
    ///
    /// SQLite says whether anything is in the way; only then is it looked up, and
    /// ``Claim/conflict(with:isTokenUsed:isKeyTaken:)`` decides.
    func claim(_ claim: Claim) throws -> ClaimResult {
        var replaced: Payment?
        if try claimStatement.run({ $0.bind(claim) }) == 0 {
            let known = try database.holder(of: claim.payment.merchantReference)
            let conflict = try claim.conflict(
                with: known,
                isTokenUsed: { try claim.token.map(database.isTaken) ?? false },
                isKeyTaken: { try database.isTaken(idempotencyKey: $0) })
            if let conflict { return conflict }
            // A payment that was not sent is in the way, or one of another account's.
            if case .success(let known) = known {
                replaced = known
                try eraseSearchKeys(of: known)
                try eraseNewSearchKeys(of: known.merchantReference)
            }
            guard try reclaimStatement.run({ $0.bind(claim) }) == 1 else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "what is in a claim's way is in no row")
            }
        }
        try add(claim.entry, to: claim.payment.merchantReference)
        return .claimed(inPlaceOf: replaced)
    }

    /// False where the payment is no longer in the state it was read in, or was claimed again.
    func transition(_ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry) throws -> Bool {
        let statement = entry.event == nil ? transitionStatement : transitionWithEventStatement
        let changes = try statement.run { values in
            values.bind(entry.state.rawValue)
            values.bind(entry.balance.captured.value)
            values.bind(entry.balance.refunded.value)
            values.bind(entry.state.isOpen)
            values.bind(entry.at)
            values.bind(payment.merchantReference)
            values.bind(payment.state.rawValue)
            values.bind(payment.claimedAt)
        }
        guard changes == 1 else { return false }
        if entry.state.freesTokenAndKey { try freeStatement.run { $0.bind(payment.merchantReference) } }
        try add(entry, receipt: receipt, to: payment.merchantReference)
        // Nothing but the state `uncertain` can lie between what was read and what is written, and it moves nothing.
        try add(
            Movement.made(from: payment, to: entry.state, entry.balance, of: payment.amount), of: payment, at: entry.at)
        return true
    }

    /// Adds an entry with the payment's receipt after it.
    func add(_ entry: HistoryEntry, receipt: [UInt8]? = nil, to merchantReference: String) throws {
        try entryStatement.run { values in
            values.bind(merchantReference)
            values.bind(entry.at)
            values.bind(entry.state.rawValue)
            values.bind(entry.balance.captured.value)
            values.bind(entry.balance.refunded.value)
            values.bind(entry.storedReason)
            values.bind(entry.requestIdentifier)
            values.bind(entry.event)
            values.bind(receipt)
            values.bind(entry.source?.text)
            values.bind(entry.searchKeys.isEmpty ? nil : SearchKey.encoded(entry.searchKeys))
        }
        if !entry.searchKeys.isEmpty { entriesWithNewKeys += 1 }
        if entry.endsUnsent { try mergeRepeatedAttempts(of: merchantReference) }
        FailPoint.committing.reach()
    }
}
