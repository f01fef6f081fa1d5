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
        leasedFor duration: Duration = .zero,
        account: String? = nil, client: String? = nil
    ) -> Claim {
        Claim(
            payment: Payment(
                merchantReference: reference, command: .authorization, amount: 9_999_999_999, currency: "KWD",
                fingerprint: RequestFingerprint(bytes: [UInt8(truncatingIfNeeded: token), 0, 255]),
                appleTransactionIdentifier: "ab\(token)", claimedAt: moment,
                account: account, client: client,
                lease: Lease(number: 0, expiresAt: moment + duration.milliseconds / 1_000)),
            token: TokenDigest(SHA256.hash(data: Array("token \(token)".utf8))), idempotencyKey: key,
            entry: HistoryEntry(at: moment, state: .processing, requestIdentifier: "r-\(token)"))
    }

    /// A claim of a reference alone: a stored card pays it.
    public static func ofStoredCard(_ reference: String, key: String? = nil, fingerprint: UInt8 = 7) -> Claim {
        Claim(
            payment: Payment(
                merchantReference: reference, command: .purchase, amount: 4_900, currency: "AED",
                fingerprint: RequestFingerprint(bytes: [fingerprint, 0, 255]), appleTransactionIdentifier: nil,
                claimedAt: .wholeSecond, account: "aed", client: "shop"),
            token: nil, idempotencyKey: key,
            entry: HistoryEntry(at: .wholeSecond, state: .processing, requestIdentifier: "r"))
    }
}

extension Date {
    public static let wholeSecond = Date(timeIntervalSince1970: 1_800_000_000)
}

extension Journal {
    /// Takes a payment that was claimed as the samples are to another state, whatever else it has become since.
    public func transition(
        _ merchantReference: String, from state: PaymentState, receipt: [UInt8]?, because entry: HistoryEntry
    ) async throws(JournalError) -> Bool {
        guard var payment = try await payment(merchantReference) else { return false }
        payment.state = state
        return try await transition(payment, receipt: receipt, because: entry)
    }
}

extension EventOutbox {
    /// For tests that do not look at deliveries.
    public func acknowledge(_ event: DueEvent, at moment: Date) async throws(JournalError) {
        try await acknowledge(event, at: moment, after: nil)
    }

    public func postpone(_ event: DueEvent, until moment: Date?) async throws(JournalError) {
        try await postpone(event, until: moment, after: nil)
    }
}
