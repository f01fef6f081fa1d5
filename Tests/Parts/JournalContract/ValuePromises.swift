import Foundation
import PaymentRelay
import PayrelayPrimitives
import Testing

extension JournalPromise {
    static let values: [JournalPromise] = [
        JournalPromise("text with the character NUL is refused or kept whole, and is never cut before that character") {
            journal async throws in
            let known = Change.sample("A", token: 1, key: "k")
            _ = try await journal.claim(known)
            for claim in [Change.sample("A\0B", token: 2), .sample("B", token: 3, key: "k\0l")] {
                guard let result = try? await journal.claim(claim) else { continue }
                #expect(result == .written)
                #expect(try await journal.payment(claim.after.merchantReference) == claim.after)
            }
            #expect(try await journal.payment("A") == known.after)
            #expect(try await journal.history(of: "A") == [known.entry])
        },
        JournalPromise("a claim whose entry cannot be written is not written either") { journal async throws in
            let claim = Change.sample("A", token: 1, key: "k")
            let entry = HistoryEntry(at: .wholeSecond, state: .processing, requestIdentifier: "r\0s")
            let strange = Change(
                claiming: claim.after, token: claim.claimed?.token, idempotencyKey: "k", because: entry)
            let isRefused = (try? await journal.claim(strange)) == nil
            #expect(try await journal.payment("A") == (isRefused ? nil : claim.after))
            #expect(try await journal.claim(claim) == (isRefused ? .written : .referenceTaken(claim.after)))
            #expect(try await journal.history(of: "A").count == 1)
        },
        JournalPromise("a reason with the character NUL keeps no outcome from being recorded") {
            journal async throws in
            let claim = Change.sample("A", token: 1)
            _ = try await journal.claim(claim)
            let entry = HistoryEntry(at: .wholeSecond, state: .uncertain, reason: "on\0hold")
            #expect(try await journal.transition(claim.after, receipt: [0], because: entry))
            #expect(try await journal.payment("A")?.state == .uncertain)
            #expect(try await journal.history(of: "A").last?.reason?.hasSuffix("hold") == true)
        },
        JournalPromise("long and empty values are kept, and nothing of one payment becomes another's") {
            journal async throws in
            let long = String(repeating: "é🙂", count: 200_000)
            let bytes = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0) }
            let longClaim = sample("long", text: long, fingerprint: bytes, token: 1, key: "k")
            let emptyClaim = sample("empty", text: "", fingerprint: [0], token: 2, key: "")
            let noneClaim = sample("none", text: nil, fingerprint: [1], token: 3, key: nil)
            for claim in [longClaim, emptyClaim, noneClaim] { #expect(try await journal.claim(claim) == .written) }
            let texts = [("long", long, bytes), ("empty", "", []), ("none", nil, nil)] as [(String, String?, [UInt8]?)]
            for (reference, text, bytes) in texts {
                let entry = HistoryEntry(
                    at: .wholeSecond, state: .captured, balance: Balance(captured: 1), reason: text,
                    requestIdentifier: text, event: bytes)
                #expect(try await journal.transition(reference, from: .processing, receipt: bytes, because: entry))
                let payment = try #require(try await journal.payment(reference))
                #expect(payment.receipt == bytes && payment.client == text && payment.account == text)
                #expect(payment.merchantIdentifier == text)
                #expect(try await journal.history(of: reference).last == entry)
            }
            #expect(try await journal.payment("long")?.fingerprint?.bytes == bytes)
            #expect(try await journal.payment("long")?.appleTransactionIdentifier == long)
        },
    ]

    private static func sample(
        _ reference: String, text: String?, fingerprint: [UInt8], token: Int, key: String?
    ) -> Change {
        let sample = Change.sample(reference, token: token)
        let payment = Payment(
            merchantReference: reference, command: .purchase, amount: 1, currency: "AED",
            fingerprint: RequestFingerprint(bytes: fingerprint),
            appleTransactionIdentifier: text.flatMap { $0.isEmpty ? nil : $0 }, claimedAt: .wholeSecond,
            gateway: "fort", account: text, merchantIdentifier: text, client: text)
        let entry = HistoryEntry(at: .wholeSecond, state: .processing, requestIdentifier: text)
        return Change(claiming: payment, token: sample.claimed?.token, idempotencyKey: key, because: entry)
    }
}
