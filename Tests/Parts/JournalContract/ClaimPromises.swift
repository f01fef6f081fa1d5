import Crypto
import Foundation
import PaymentRelay
import PayrelayPrimitives
import Testing

extension JournalPromise {
    static let claims: [JournalPromise] = [
        JournalPromise("a claim can be read back") { journal async throws in
            let claim = Change.sample("A", token: 1, leasedFor: .seconds(30))
            #expect(try await journal.claim(claim) == .written)
            #expect(try await journal.payment("A") == claim.after)
            #expect(try await journal.history(of: "A") == [claim.entry])
            #expect(try await journal.payment("B") == nil)
            #expect(try await journal.history(of: "B") == [])
        },
        JournalPromise("text is stored unchanged") { journal async throws in
            let reference = "'; DROP TABLE payment; -- \\ % é 支付 🙂 \u{1}\n"
            let claim = Change.sample(reference, token: 1, key: "")
            #expect(try await journal.claim(claim) == .written)
            #expect(try await journal.payment(reference) == claim.after)
            #expect(try await journal.claim(.sample("B", token: 2, key: "")) == .keyTaken)
        },
        JournalPromise("R1, R2: a reference is claimed once") { journal async throws in
            let first = Change.sample("A", token: 1)
            _ = try await journal.claim(first)
            #expect(try await journal.claim(.sample("A", token: 2)) == .referenceTaken(first.after))
            #expect(try await journal.claim(first) == .referenceTaken(first.after))
        },
        JournalPromise("R13: a token and a key are claimed once, and a refused claim leaves no trace") {
            journal async throws in
            _ = try await journal.claim(.sample("A", token: 1, key: "k"))
            #expect(try await journal.claim(.sample("B", token: 1)) == .tokenTaken)
            #expect(try await journal.claim(.sample("C", token: 3, key: "k")) == .keyTaken)
            #expect(try await journal.payment("B") == nil)
            #expect(try await journal.history(of: "C") == [])
            #expect(try await journal.claim(.sample("C", token: 3, key: "l")) == .written)
        },
        JournalPromise(
            "a refused claim names its obstacle: another payment's key first, then the reference, then the token"
        ) {
            journal async throws in
            let first = Change.sample("A", token: 1, key: "k")
            for claim in [first, .sample("B", token: 2, key: "l")] { _ = try await journal.claim(claim) }
            #expect(try await journal.claim(.sample("A", token: 2, key: "l")) == .keyTaken)
            #expect(try await journal.claim(.sample("A", token: 2, key: "k")) == .referenceTaken(first.after))
            #expect(try await journal.claim(.sample("A", token: 2, key: "m")) == .referenceTaken(first.after))
            #expect(try await journal.claim(.sample("C", token: 2, key: "k")) == .keyTaken)
            #expect(try await journal.claim(.sample("C", token: 2, key: "m")) == .tokenTaken)
            #expect(try await journal.use(ofKey: "k") == KeyUse(of: "A"))
            #expect(try await journal.use(ofKey: "m") == nil)
            let unsent = HistoryEntry(at: .wholeSecond, state: .notSent)
            #expect(try await journal.transition(first.after, receipt: nil, because: unsent))
            #expect(try await journal.use(ofKey: "k") == nil)
            #expect(try await journal.claim(.sample("A", token: 2, key: "k")) == .tokenTaken)
            #expect(try await journal.claim(.sample("A", token: 3, key: "l")) == .keyTaken)
            #expect(try await journal.history(of: "A").map(\.state) == [.processing, .notSent])
            #expect(try await journal.claim(.sample("A", token: 1, key: "k")) == .written)
            #expect(try await journal.claim(.sample("C", token: 1)) == .tokenTaken)
        },
        JournalPromise("R1: of many claims of a reference at once, one wins") { journal async throws in
            let results = try await claimAtOnce(in: journal, (0..<200).map { .sample("A", token: $0) })
            #expect(results.filter { $0 == .written }.count == 1)
            let winner = try #require(try await journal.payment("A"))
            #expect(results.filter { $0 == .referenceTaken(winner) }.count == 199)
        },
        JournalPromise("R1: the same claim many times at once wins once, and the others get the payment") {
            journal async throws in
            let claim = Change.sample("A", token: 1, key: "k")
            let results = try await claimAtOnce(in: journal, Array(repeating: claim, count: 200))
            #expect(results.filter { $0 == .written }.count == 1)
            #expect(results.filter { $0 == .referenceTaken(claim.after) }.count == 199)
        },
        JournalPromise("R13: of many claims of a token at once, one wins") { journal async throws in
            let results = try await claimAtOnce(in: journal, (0..<200).map { .sample("\($0)", token: 1) })
            #expect(results.filter { $0 == .written }.count == 1)
            #expect(results.filter { $0 == .tokenTaken }.count == 199)
        },
        JournalPromise("R13: a token is the same if text was moved to the end of Apple's identifier") {
            journal async throws in
            func claim(_ reference: String, _ identifier: String, digest: String) -> Change {
                let sample = Change.sample(reference, token: 1)
                let payment = Payment(
                    merchantReference: reference, command: .purchase, amount: 1, currency: "AED",
                    fingerprint: sample.after.fingerprint, appleTransactionIdentifier: identifier,
                    claimedAt: .wholeSecond, gateway: "fort")
                return Change(
                    claiming: payment, token: SHA256.hash(data: Array(digest.utf8)), idempotencyKey: nil,
                    because: sample.entry)
            }
            let (identifier, other) = (String(repeating: "0a", count: 32), String(repeating: "0a", count: 31) + "0b")
            #expect(try await journal.claim(claim("A", identifier, digest: "a")) == .written)
            #expect(try await journal.claim(claim("B", identifier, digest: "b")) == .tokenTaken)
            #expect(try await journal.claim(claim("C", identifier + other, digest: "a")) == .tokenTaken)
            #expect(try await journal.claim(claim("D", other, digest: "a")) == .written)
            #expect(try await journal.claim(claim("E", other + identifier, digest: "e")) == .tokenTaken)
        },
        JournalPromise("a payment of a stored card has a fingerprint and no token, and is not an external payment") {
            journal async throws in
            let claim = Change.ofStoredCard("S")
            #expect(try await journal.claim(claim) == .written)
            let payment = try #require(try await journal.payment("S"))
            #expect(payment == claim.after)
            #expect(payment.fingerprint != nil && payment.appleTransactionIdentifier == nil)
            #expect(!payment.isMadeElsewhere && !payment.isSimulated)
            let later: Date = .wholeSecond + 60
            #expect(
                try await journal.lease(Payment.self, limit: 9, at: later, until: later + 60).map(\.merchantReference)
                    == ["S"])
            let answered = HistoryEntry(
                at: .wholeSecond + 1, state: .captured, balance: Balance(captured: 4_900), event: [7])
            #expect(try await journal.transition("S", from: .processing, receipt: [1], because: answered))
            #expect(try await journal.payment("S")?.balance == Balance(captured: 4_900))
            #expect(try await journal.payment("S")?.isMadeElsewhere == false)
        },
        JournalPromise("R1, R2: payments of stored cards exclude each other only by reference and by key") {
            journal async throws in
            let first = Change.ofStoredCard("S", key: "k")
            #expect(try await journal.claim(first) == .written)
            #expect(try await journal.claim(.ofStoredCard("S", fingerprint: 8)) == .referenceTaken(first.after))
            #expect(try await journal.claim(.ofStoredCard("T", key: "k")) == .keyTaken)
            for month in 1...12 { #expect(try await journal.claim(.ofStoredCard("S-\(month)")) == .written) }
            let results = try await claimAtOnce(in: journal, (0..<100).map { .ofStoredCard("M", fingerprint: $0) })
            #expect(results.filter { $0 == .written }.count == 1)
            // If nothing was sent, the reference is free again for either kind of payment.
            let unsent = HistoryEntry(at: .wholeSecond, state: .notSent)
            #expect(try await journal.transition(first.after, receipt: nil, because: unsent))
            #expect(try await journal.claim(.ofStoredCard("S", key: "k")) == .written)
            #expect(try await journal.claim(.sample("T", token: 1)) == .written)
            #expect(try await journal.transition("T", from: .processing, receipt: nil, because: unsent))
            let retried = Change.ofStoredCard("T")
            let anonymous = Change(
                claiming: Payment(
                    merchantReference: "T", command: .purchase, amount: 1, currency: "AED",
                    fingerprint: retried.after.fingerprint, appleTransactionIdentifier: nil, claimedAt: .wholeSecond,
                    gateway: "fort"),
                token: nil, idempotencyKey: nil, because: retried.entry)
            #expect(try await journal.claim(anonymous) == .written)
            #expect(try await journal.payment("T")?.appleTransactionIdentifier == nil)
            #expect(try await journal.claim(.sample("U", token: 1)) == .written)
        },
    ]

    private static func claimAtOnce(in journal: any Journal, _ claims: [Change]) async throws -> [CommitResult] {
        try await withThrowingTaskGroup { group in
            for claim in claims { group.addTask { try await journal.claim(claim) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
