import Foundation
import PaymentRelay
import PayrelayPrimitives
import Testing

extension JournalPromise {
    /// External payments, which the merchant made with the gateway itself.
    static let madeElsewhere: [JournalPromise] = [
        JournalPromise("an external payment is recorded once, with its event") { journal async throws in
            let (payment, entry) = sample("E", event: [7])
            #expect(try await journal.record(payment, because: entry))
            #expect(try await journal.payment("E") == payment)
            #expect(try await journal.history(of: "E") == [entry])
            #expect(try await !journal.record(payment, because: entry))
            #expect(try await journal.history(of: "E").count == 1)
            let due = try await journal.lease(
                DueEvent.self, of: nil, limit: 9, at: .wholeSecond, until: .wholeSecond + 60)
            #expect(due.map(\.number) == [1] && due.map(\.recorded) == [[7]])
            #expect(try await journal.openPayments(limit: 9).isEmpty)
        },
        JournalPromise("an external payment changes like any other payment") { journal async throws in
            let (payment, entry) = sample("E", event: nil)
            _ = try await journal.record(payment, because: entry)
            var refunded = payment
            refunded.state = .refunded
            refunded.balance = Balance(captured: 500, refunded: 500)
            let next = HistoryEntry(at: .wholeSecond + 1, state: .refunded, balance: refunded.balance)
            #expect(try await journal.compareAndSet(payment, to: refunded, because: next))
            #expect(try await journal.payment("E")?.balance == refunded.balance)
            #expect(try await journal.payment("E")?.isMadeElsewhere == true)
        },
        JournalPromise("an answer's amount and command replace those of an external payment") {
            journal async throws in
            let (payment, entry) = sample("E", event: nil)
            _ = try await journal.record(payment, because: entry)
            var proven = payment
            (proven.amount, proven.command) = (700, .authorization)
            let next = HistoryEntry(at: .wholeSecond + 1, state: .captured, balance: proven.balance)
            #expect(try await journal.compareAndSet(payment, to: proven, because: next))
            let read = try #require(try await journal.payment("E"))
            #expect(read.amount == 700 && read.command == .authorization)
        },
        JournalPromise("a payment of this service keeps its reference if an external payment has the same reference") {
            journal async throws in
            let claim = Change.sample("A", token: 1)
            _ = try await journal.claim(claim)
            let (payment, entry) = sample("A", event: nil)
            #expect(try await !journal.record(payment, because: entry))
            #expect(try await journal.payment("A") == claim.after)
        },
        JournalPromise("an order takes the reference of another merchant's external payment under the account's name") {
            journal async throws in
            let (payment, entry) = sample("E", event: [7])
            _ = try await journal.record(payment, because: entry)
            let claim = Change.sample("E", token: 1, account: "kwd", merchantIdentifier: "M2")
            #expect(try await journal.claim(claim) == .written)
            #expect(try await journal.payment("E")?.merchantIdentifier == "M2")
        },
        JournalPromise(
            "an order takes the reference of another account's external payment, but not of its own account's"
        ) {
            journal async throws in
            let (payment, entry) = sample("E", event: [7])
            _ = try await journal.record(payment, because: entry)
            #expect(try await journal.claim(.sample("E", token: 1, account: "kwd")) == .referenceTaken(payment))
            let claim = Change.sample("E", token: 1, account: "aed", client: "shop")
            #expect(try await journal.claim(claim) == .written)
            let claimed = try #require(try await journal.payment("E"))
            var expected = claim.after
            expected.version = 2
            #expect(claimed == expected && claimed.receipt == nil)
            #expect(try await journal.history(of: "E") == [entry, claim.entry])
            #expect(try await journal.openPayments(limit: 9).map(\.merchantReference) == ["E"])
        },
        JournalPromise("an event is redacted in its entry, and an entry without an event gets none") {
            journal async throws in
            let (payment, entry) = sample("E", event: [7])
            _ = try await journal.record(payment, because: entry)
            let silent = HistoryEntry(at: .wholeSecond, state: .captured, balance: payment.balance)
            _ = try await journal.compareAndSet(payment, to: payment, because: silent)
            let known = try #require(try await journal.payment("E"))
            let erasure = Change(
                from: known, to: known,
                because: HistoryEntry(at: .wholeSecond, state: .captured, balance: payment.balance, kind: .erasure),
                redaction: Change.Redaction(events: [1: [8], 2: [9], 3: [9]], lastNote: .max))
            #expect(try await journal.commit(erasure) == .written)
            #expect(try await journal.history(of: "E").map(\.event) == [[8], nil, nil])
        },
        JournalPromise("S1: card data in events is erased with the receipts") { journal async throws in
            let event =
                #"{"type":"payment.captured","payment":{"card_number":"411111******1111","card_holder_name":"S","token_name":"t","agreement_id":"a","expiry_date":"1","amount":5}}"#
            let (payment, entry) = sample("E", event: Array(event.utf8))
            _ = try await journal.record(payment, because: entry)
            #expect(try await journal.eraseCustomerData(of: "E", at: .wholeSecond + 9, knowing: .sample))
            let erased = try #require(try await journal.history(of: "E").first?.event)
            #expect(
                String(decoding: erased, as: UTF8.self) == #"{"type":"payment.captured","payment":{"amount":5}}"#)
        },
    ]

    private static func sample(_ reference: String, event: [UInt8]?) -> (Payment, HistoryEntry) {
        let balance = Balance(captured: 500)
        let payment = Payment(
            merchantReference: reference, command: .purchase, amount: 500, currency: "KWD", fingerprint: nil,
            appleTransactionIdentifier: nil, claimedAt: .wholeSecond, gateway: "fort", account: "kwd",
            merchantIdentifier: "M1", state: .captured,
            balance: balance, receipt: [1, 2])
        let entry = HistoryEntry(
            at: .wholeSecond, state: .captured, balance: balance, reason: "told", requestIdentifier: "r", event: event)
        return (payment, entry)
    }
}
