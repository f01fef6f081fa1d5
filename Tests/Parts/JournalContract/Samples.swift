import PayrelayPrimitives
import Crypto
public import Foundation
public import PaymentRelay

extension Claim {
    /// A claim of a reference and of a token, which is known by its number.
    ///
    /// - Parameter duration: of its lease; one of zero expires as it begins.
    public static func sample(
        _ reference: String, token: Int, key: String? = nil, at moment: Date = .wholeSecond,
        leasedFor duration: Duration = .zero, gateway: String = "fort",
        account: String? = nil, merchantIdentifier: String? = "M1", client: String? = nil, email: String? = nil
    ) -> Claim {
        Claim(
            payment: Payment(
                merchantReference: reference, command: .authorization, amount: 9_999_999_999, currency: "KWD",
                fingerprint: RequestFingerprint(bytes: [UInt8(truncatingIfNeeded: token), 0, 255]),
                appleTransactionIdentifier: "ab\(token)", claimedAt: moment, gateway: gateway,
                account: account, merchantIdentifier: merchantIdentifier, client: client,
                emailDigest: email.map { EmailDigest(of: $0) },
                customer: CustomerDetails(email: email, name: "سارة", cardDisplayName: "Visa 0492"),
                lease: Lease(number: 0, expiresAt: moment + duration.milliseconds / 1_000)),
            token: SHA256.hash(data: Array("token \(token)".utf8)), idempotencyKey: key,
            entry: HistoryEntry(at: moment, state: .processing, kind: .claim, requestIdentifier: "r-\(token)"))
    }

    /// A claim of a reference alone: a stored card pays it.
    public static func ofStoredCard(_ reference: String, key: String? = nil, fingerprint: UInt8 = 7) -> Claim {
        Claim(
            payment: Payment(
                merchantReference: reference, command: .purchase, amount: 4_900, currency: "AED",
                fingerprint: RequestFingerprint(bytes: [fingerprint, 0, 255]), appleTransactionIdentifier: nil,
                claimedAt: .wholeSecond, gateway: "fort", account: "aed", client: "shop"),
            token: nil, idempotencyKey: key,
            entry: HistoryEntry(at: .wholeSecond, state: .processing, kind: .claim, requestIdentifier: "r"))
    }
}

extension Date {
    public static let wholeSecond = Date(timeIntervalSince1970: 1_800_000_000)
}

/// Changes as tests write them.
extension Journal {
    /// Takes a payment that is being charged from the state it was read in to the entry's.
    public func transition(
        _ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry
    ) async throws(JournalError) -> Bool {
        var changed = payment
        changed.state = entry.state
        changed.balance = entry.balance
        changed.receipt = receipt
        return try await commit(JournaledChange(from: payment, to: changed, entry: entry), if: .sameState)
    }

    /// Takes a payment that was claimed as the samples are to another state, whatever else it has become since.
    public func transition(
        _ merchantReference: String, from state: PaymentState, receipt: [UInt8]?, because entry: HistoryEntry
    ) async throws(JournalError) -> Bool {
        guard var payment = try await payment(merchantReference) else { return false }
        payment.state = state
        return try await transition(payment, receipt: receipt, because: entry)
    }

    public func compareAndSet(
        _ old: Payment, to new: Payment, because entry: HistoryEntry
    ) async throws(JournalError) -> Bool {
        try await commit(JournaledChange(from: old, to: new, entry: entry), if: .sameVersion)
    }

    /// Adds a payment that was made elsewhere.
    public func record(_ payment: Payment, because entry: HistoryEntry) async throws(JournalError) -> Bool {
        try await commit(JournaledChange(from: nil, to: payment, entry: entry), if: .sameState)
    }

    public func acknowledge(
        _ event: DueEvent, at moment: Date, after delivery: DeliveryAttempt? = nil
    ) async throws(JournalError) {
        try await end(event, as: .acknowledged(delivery), at: moment)
    }

    /// - Parameter moment: nil dead-letters the payment.
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
