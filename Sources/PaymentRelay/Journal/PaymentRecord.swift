import PayrelayPrimitives
import FoundationEssentials

/// A payment's row as a journal reads it, not yet validated. The database may hold any row: one that no version of this
/// code wrote is unreadable, and never becomes a ``Payment``.
public struct PaymentRecord: Sendable {
    public var merchantReference: String
    public var command: String
    public var amount: Int
    public var currency: String
    /// Empty for a payment that was made elsewhere.
    public var fingerprint: [UInt8]
    /// Empty for a payment that was made elsewhere, and for one of a stored card.
    public var appleTransactionIdentifier: String
    /// Milliseconds since 1970.
    public var claimedAt: Int
    public var account: String?
    public var client: String?
    public var state: String
    public var captured: Int
    public var refunded: Int
    /// ``PaymentOperation``s as JSON; nil for none.
    public var operations: [UInt8]?
    public var version: Int
    public var holdsCustomerData: Bool
    public var receipt: [UInt8]?
    public var leaseNumber: Int
    /// Milliseconds since 1970.
    public var leaseExpiresAt: Int

    public init(
        merchantReference: String, command: String, amount: Int, currency: String, fingerprint: [UInt8],
        appleTransactionIdentifier: String, claimedAt: Int, account: String?, client: String?, state: String,
        captured: Int, refunded: Int, operations: [UInt8]?, version: Int, holdsCustomerData: Bool, receipt: [UInt8]?,
        leaseNumber: Int, leaseExpiresAt: Int
    ) {
        self.merchantReference = merchantReference
        self.command = command
        self.amount = amount
        self.currency = currency
        self.fingerprint = fingerprint
        self.appleTransactionIdentifier = appleTransactionIdentifier
        self.claimedAt = claimedAt
        self.account = account
        self.client = client
        self.state = state
        self.captured = captured
        self.refunded = refunded
        self.operations = operations
        self.version = version
        self.holdsCustomerData = holdsCustomerData
        self.receipt = receipt
        self.leaseNumber = leaseNumber
        self.leaseExpiresAt = leaseExpiresAt
    }

    /// Beyond it a version or a lease's number was not counted up to: one lease a second takes thirty years.
    public static let countLimit = 1_000_000_000

    /// - Throws: ``UnreadableRecord`` where a column holds what no version of this code wrote, or two of them contradict each
    ///   other.
    public func payment() throws(UnreadableRecord) -> Payment {
        let amount = try read("amount", MinorUnits(amount))
        let balance = Balance(
            captured: try read("captured", MinorUnits(captured)), refunded: try read("refunded", MinorUnits(refunded)))
        guard amount > .zero else { throw unreadable("amount") }
        guard balance.isPossible(for: amount) else { throw unreadable("captured") }
        guard currency.isCurrencyCode else { throw unreadable("currency") }
        return Payment(
            merchantReference: merchantReference, command: try read("command", Order.Command(rawValue: command)),
            amount: amount, currency: currency,
            fingerprint: fingerprint.isEmpty ? nil : RequestFingerprint(bytes: fingerprint),
            appleTransactionIdentifier: appleTransactionIdentifier.isEmpty ? nil : appleTransactionIdentifier,
            claimedAt: try moment("claimed_at", claimedAt), account: account, client: client,
            state: try read("state", PaymentState(rawValue: state)), balance: balance,
            operations: try operations(of: amount), version: try count("version", version),
            holdsCustomerData: holdsCustomerData, receipt: receipt,
            lease: Lease(
                number: try count("lease_number", leaseNumber),
                expiresAt: try moment("lease_expires_at", leaseExpiresAt)))
    }

    /// - Parameter amount: what was authorized; no operation is about more.
    private func operations(of amount: MinorUnits) throws(UnreadableRecord) -> [PaymentOperation] {
        guard let operations else { return [] }
        guard let read = try? PaymentOperation.operations(from: operations),
            read.allSatisfy({ $0.before.isPossible(for: amount) && $0.after?.isPossible(for: amount) ?? false }),
            read.dropLast().allSatisfy({ !$0.state.isOpen })
        else { throw unreadable("operations") }
        return read
    }

    private func moment(_ column: String, _ milliseconds: Int) throws(UnreadableRecord) -> Date {
        try read(column, EpochMilliseconds(milliseconds: milliseconds)).date
    }

    private func count(_ column: String, _ number: Int) throws(UnreadableRecord) -> Int {
        guard (0..<Self.countLimit).contains(number) else { throw unreadable(column) }
        return number
    }

    private func read<Value>(_ column: String, _ value: Value?) throws(UnreadableRecord) -> Value {
        guard let value else { throw unreadable(column) }
        return value
    }

    private func unreadable(_ column: String) -> UnreadableRecord {
        UnreadableRecord(merchantReference: merchantReference, column: column)
    }
}

/// One entry of a history as a journal reads it, not yet validated.
public struct HistoryRecord: Sendable {
    /// Milliseconds since 1970.
    public var at: Int
    public var state: String
    public var captured: Int
    public var refunded: Int
    /// See ``HistorySource/text``.
    public var source: String?
    public var reason: String?
    public var requestIdentifier: String?
    public var event: [UInt8]?
    public var number: Int
    public var times: Int
    /// Milliseconds since 1970.
    public var since: Int?

    public init(
        at: Int, state: String, captured: Int, refunded: Int, source: String?, reason: String?,
        requestIdentifier: String?, event: [UInt8]?, number: Int, times: Int, since: Int?
    ) {
        self.number = number
        self.times = times
        self.since = since
        self.at = at
        self.state = state
        self.captured = captured
        self.refunded = refunded
        self.source = source
        self.reason = reason
        self.requestIdentifier = requestIdentifier
        self.event = event
    }

    /// - Parameter merchantReference: whose history it is.
    /// - Throws: ``UnreadableRecord`` where a column holds what no version of this code wrote.
    public func entry(of merchantReference: String) throws(UnreadableRecord) -> HistoryEntry {
        guard let at = EpochMilliseconds(milliseconds: at)?.date, let state = PaymentState(rawValue: state),
            let captured = MinorUnits(captured), let refunded = MinorUnits(refunded)
        else { throw UnreadableRecord(merchantReference: merchantReference, column: "history") }
        var entry = HistoryEntry(
            at: at, state: state, balance: Balance(captured: captured, refunded: refunded),
            source: source.flatMap { HistorySource(text: $0) }, reason: reason, requestIdentifier: requestIdentifier,
            event: event)
        entry.number = number
        // A count is no reason to hide what happened.
        entry.times = max(1, min(times, PaymentRecord.countLimit))
        entry.since = since.flatMap { EpochMilliseconds(milliseconds: $0)?.date }
        return entry
    }
}
