public import Crypto
public import Foundation
public import PaymentRelay
import PayrelayPrimitives

extension Change {
    /// Returns a claim of a reference and of a token, which is identified by its number.
    ///
    /// - Parameter duration: The duration of the claim's lease. A lease of zero expires as it begins.
    public static func sample(
        _ reference: String, token: Int, key: String? = nil, at moment: Date = .wholeSecond,
        leasedFor duration: Duration = .zero, gateway: String = "fort",
        account: String? = nil, merchantIdentifier: String? = "M1", client: String? = nil, email: String? = nil
    ) -> Change {
        Change(
            claiming: Payment(
                merchantReference: reference, command: .authorization, amount: 9_999_999_999, currency: "KWD",
                fingerprint: RequestFingerprint(bytes: [UInt8(truncatingIfNeeded: token), 0, 255]),
                appleTransactionIdentifier: "ab\(token)", claimedAt: moment, gateway: gateway,
                account: account, merchantIdentifier: merchantIdentifier, client: client,
                emailDigest: email.map { EmailDigest(of: $0) },
                customer: CustomerDetails(email: email, name: "سارة", cardDisplayName: "Visa 0492"),
                lease: Lease(number: 0, expiresAt: moment + duration.milliseconds / 1_000)),
            token: SHA256.hash(data: Array("token \(token)".utf8)), idempotencyKey: key, at: moment,
            request: "r-\(token)")
    }

    /// Returns a claim of a reference without a token, for a payment with a stored card.
    public static func ofStoredCard(_ reference: String, key: String? = nil, fingerprint: UInt8 = 7) -> Change {
        Change(
            claiming: Payment(
                merchantReference: reference, command: .purchase, amount: 4_900, currency: "AED",
                fingerprint: RequestFingerprint(bytes: [fingerprint, 0, 255]), appleTransactionIdentifier: nil,
                claimedAt: .wholeSecond, gateway: "fort", account: "aed", client: "shop"),
            token: nil, idempotencyKey: key, at: .wholeSecond, request: "r")
    }

    /// Makes a claim of a payment's reference.
    ///
    /// - Parameter moment: The time of the claim, or `nil` for the payment's own time.
    public convenience init(
        claiming payment: Payment, token: SHA256Digest? = nil, idempotencyKey: String? = nil, at moment: Date? = nil,
        request: String? = nil
    ) {
        self.init(
            before: nil, after: payment, kind: .claim, origin: Origin(.client(payment.client), request: request),
            at: moment ?? payment.claimedAt, claimed: Claimed(token: token, idempotencyKey: idempotencyKey))
    }

    /// Makes a claim of a payment's reference with the given entry of the history.
    public convenience init(
        claiming payment: Payment, token: SHA256Digest?, idempotencyKey: String?, because entry: HistoryEntry
    ) {
        self.init(
            before: nil, after: payment, kind: entry.kind ?? .claim, origin: Origin(of: entry), reason: entry.reason,
            at: entry.at, claimed: Claimed(token: token, idempotencyKey: idempotencyKey))
    }

    /// Makes a change with the given entry of the history.
    public convenience init(
        from before: Payment?, to after: Payment, because entry: HistoryEntry, redaction: Redaction? = nil
    ) {
        self.init(
            before: before, after: after, kind: entry.kind ?? .charge, operation: entry.operation,
            origin: Origin(of: entry), reason: entry.reason, note: entry.note, event: entry.event, at: entry.at,
            redaction: redaction)
    }

    /// The entry that the change adds to the history.
    public var entry: HistoryEntry { HistoryEntry(of: self) }
}

extension Origin {
    fileprivate init(of entry: HistoryEntry) {
        self.init(entry.source ?? .gatewayAnswer, request: entry.requestIdentifier, by: entry.operatorName)
    }
}

extension Date {
    public static let wholeSecond = Date(timeIntervalSince1970: 1_800_000_000)
}

/// Shorter calls for changes in tests.
extension Journal {
    /// Changes a payment from the version that was read to the entry's state.
    public func transition(
        _ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry
    ) async throws(JournalError) -> Bool {
        var changed = payment
        changed.state = entry.state
        changed.balance = entry.balance
        changed.receipt = receipt
        return try await commit(Change(from: payment, to: changed, because: entry)) == .written
    }

    /// Changes a payment from one state to the entry's state, whatever else has changed since its claim.
    public func transition(
        _ merchantReference: String, from state: PaymentState, receipt: [UInt8]?, because entry: HistoryEntry
    ) async throws(JournalError) -> Bool {
        guard let payment = try await payment(merchantReference), payment.state == state else { return false }
        return try await transition(payment, receipt: receipt, because: entry)
    }

    public func compareAndSet(
        _ old: Payment, to new: Payment, because entry: HistoryEntry
    ) async throws(JournalError) -> Bool {
        try await commit(Change(from: old, to: new, because: entry)) == .written
    }

    /// Adds an external payment.
    public func record(_ payment: Payment, because entry: HistoryEntry) async throws(JournalError) -> Bool {
        try await commit(Change(from: nil, to: payment, because: entry)) == .written
    }

    /// Claims an order, and returns the result.
    public func claim(_ claim: Change) async throws(JournalError) -> CommitResult {
        try await commit(claim: claim).result
    }

    public func acknowledge(
        _ event: DueEvent, at moment: Date, after delivery: DeliveryAttempt? = nil
    ) async throws(JournalError) {
        try await end(event, as: .acknowledged(delivery), at: moment)
    }

    /// - Parameter moment: The time of the next attempt, or `nil` to dead-letter the payment.
    public func postpone(
        _ event: DueEvent, until moment: Date?, after delivery: DeliveryAttempt? = nil
    ) async throws(JournalError) {
        try await end(
            event, as: moment.map { .postponed(until: $0, delivery) } ?? .deadLettered(delivery), at: .wholeSecond)
    }

    public func openSummary(overdueBefore moment: Date) async throws(JournalError) -> OpenSummary {
        try await summary(notOverdueIn: moment...Date.distantFuture).payments
    }

    public func eventSummary() async throws(JournalError) -> EventSummary {
        try await summary(notOverdueIn: Date.distantPast...Date.distantFuture).events
    }

    public func hintSummary() async throws(JournalError) -> HintSummary {
        try await summary(notOverdueIn: Date.distantPast...Date.distantFuture).hints
    }
}
