import Foundation
import PaymentRelay
import PayrelayPrimitives
import Testing

extension JournalPromise {
    static let retention: [JournalPromise] = [
        JournalPromise("the number of open payments is known, and how many of them are overdue") {
            journal async throws in
            #expect(try await journal.openSummary(overdueBefore: .wholeSecond) == OpenSummary())
            for number in 0..<4 {
                _ = try await journal.claim(
                    .sample("\(number)", token: number, at: .wholeSecond + Double(number * 10)))
            }
            _ = try await journal.transition(
                "0", from: .processing, receipt: nil, because: HistoryEntry(at: .wholeSecond, state: .captured))
            _ = try await journal.transition(
                "1", from: .processing, receipt: nil, because: HistoryEntry(at: .wholeSecond + 99, state: .uncertain))
            #expect(
                try await journal.openSummary(overdueBefore: .wholeSecond + 25)
                    == OpenSummary(count: 3, oldest: .wholeSecond + 10, overdue: 2))
        },
        JournalPromise(
            "customer data is erased once, only from settled payments, and the history has an entry about it"
        ) {
            journal async throws in
            let receipt =
                #"{"outcome":"captured","processor_response":{"customer_email":"sara@example.com","status":[1]}}"#
            for number in 0..<3 {
                _ = try await journal.claim(.sample("\(number)", token: number, at: .wholeSecond + Double(number)))
            }
            for reference in ["0", "1"] {
                _ = try await journal.transition(
                    reference, from: .processing, receipt: Array(receipt.utf8),
                    because: HistoryEntry(at: .wholeSecond, state: .captured, balance: Balance(captured: 7)))
            }
            let later = Date.wholeSecond + 60
            let due = try await journal.list(.holdingCustomerData(claimedBefore: later), after: nil, limit: 9)
            #expect(due.map(\.merchantReference) == ["0", "1"])
            #expect(
                try await journal.list(.holdingCustomerData(claimedBefore: .wholeSecond + 1), after: nil, limit: 9)
                    .map(\.merchantReference) == ["0"])
            for _ in 0..<2 { #expect(try await journal.eraseCustomerData(of: "0", at: later, knowing: .sample)) }
            #expect(try await !journal.eraseCustomerData(of: "2", at: later, knowing: .sample))
            #expect(try await !journal.eraseCustomerData(of: "none", at: later, knowing: .sample))
            let erased = try #require(try await journal.payment("0"))
            #expect(
                erased.receipt.map { String(decoding: $0, as: UTF8.self) }
                    == #"{"outcome":"captured","processor_response":{"status":[1]}}"#)
            #expect(erased.customer.isEmpty)
            #expect(!erased.holdsCustomerData && erased.balance == Balance(captured: 7))
            let history = try await journal.history(of: "0")
            #expect(history.map(\.reason) == [nil, nil, "customer data erased"])
            #expect(
                try await journal.list(.holdingCustomerData(claimedBefore: later), after: nil, limit: 9)
                    .map(\.merchantReference) == ["1"])
        },
        JournalPromise("a note is kept with its entry, is in no list, and is erased with the customer's data") {
            journal async throws in
            _ = try await journal.claim(.sample("A", token: 1))
            let entry = HistoryEntry(at: .wholeSecond, state: .processing, note: "سارة called\nagain")
            #expect(try await journal.transition("A", from: .processing, receipt: nil, because: entry))
            let settled = HistoryEntry(at: .wholeSecond, state: .captured)
            #expect(try await journal.transition("A", from: .processing, receipt: nil, because: settled))
            let payment = try #require(try await journal.payment("A"))
            let second = HistoryEntry(at: .wholeSecond, state: .captured, note: "1")
            #expect(try await journal.compareAndSet(payment, to: payment, because: second))
            #expect(try await journal.history(of: "A").map(\.note) == [nil, "سارة called\nagain", nil, "1"])
            #expect(try await journal.changes(ChangeQuery()).changes.allSatisfy { $0.entry.note == nil })
            #expect(try await journal.eraseCustomerData(of: "A", at: .wholeSecond, knowing: .sample))
            #expect(try await journal.history(of: "A").allSatisfy { $0.note == nil })
        },
        JournalPromise("an erasure keeps younger notes of a payment until they are old enough, too") {
            journal async throws in
            let receipt = #"{"outcome":"captured","processor_response":{"customer_email":"sara@example.com"}}"#
            _ = try await journal.claim(.sample("A", token: 1))
            _ = try await journal.transition(
                "A", from: .processing, receipt: Array(receipt.utf8),
                because: HistoryEntry(at: .wholeSecond, state: .captured))
            for seconds in [10.0, 20] {
                let payment = try #require(try await journal.payment("A"))
                let entry = HistoryEntry(at: .wholeSecond + seconds, state: .captured, note: "\(Int(seconds))")
                #expect(try await journal.compareAndSet(payment, to: payment, because: entry))
            }
            func erase(butSince seconds: Double) async throws -> Bool {
                try await journal.eraseCustomerData(
                    of: "A", keepingNotesSince: Date.wholeSecond + seconds, at: .wholeSecond + 60, knowing: .sample)
            }
            let steps: [(seconds: Double, isErased: Bool, notes: [String])] = [
                (5, true, ["10", "20"]), (5, false, ["10", "20"]), (15, true, ["20"]), (15, false, ["20"]),
                (25, true, []),
            ]
            for (seconds, isErased, notes) in steps {
                #expect(try await erase(butSince: seconds) == isErased)
                #expect(try await journal.history(of: "A").compactMap(\.note) == notes)
                let payment = try #require(try await journal.payment("A"))
                #expect(payment.holdsCustomerData == !notes.isEmpty && payment.customer.isEmpty)
                #expect(
                    payment.receipt.map { String(decoding: $0, as: UTF8.self) }
                        == #"{"outcome":"captured","processor_response":{}}"#)
            }
            let reasons = try await journal.history(of: "A").map(\.reason)
            #expect(reasons.count { $0 == "customer data erased" } == 3)
        },
        JournalPromise("the erasure of one customer's data erases the youngest note, too") { journal async throws in
            let email = EmailDigest(of: "sara@example.com")
            _ = try await journal.claim(.sample("A", token: 1, email: "sara@example.com"))
            let entry = HistoryEntry(at: .wholeSecond, state: .captured, note: "Sara called")
            #expect(try await journal.transition("A", from: .processing, receipt: nil, because: entry))
            #expect(
                try await journal.eraseCustomerData(
                    of: "A", keepingNotesSince: Date.wholeSecond, at: .wholeSecond, knowing: .sample))
            #expect(try await journal.history(of: "A").compactMap(\.note) == ["Sara called"])
            var query = PaymentQuery()
            query.emailDigest = email
            #expect(try await journal.search(query).payments.map(\.merchantReference) == ["A"])
            #expect(try await journal.eraseCustomerData(of: "A", with: email, at: .wholeSecond, knowing: .sample))
            #expect(try await journal.history(of: "A").allSatisfy { $0.note == nil })
            #expect(try await journal.payment("A")?.emailDigest == nil)
            #expect(try await journal.search(query).payments.isEmpty)
        },
        JournalPromise(
            "a payment stays assigned to its operator after every outcome, and a new claim ends the assignment"
        ) {
            journal async throws in
            _ = try await journal.claim(.sample("A", token: 1))
            let taken = Taken(by: "sara", at: .wholeSecond + 1)
            var payment = try #require(try await journal.payment("A"))
            let charged = payment
            payment.taken = taken
            let entry = HistoryEntry(at: .wholeSecond + 1, state: .processing)
            #expect(try await journal.compareAndSet(charged, to: payment, because: entry))
            #expect(try await journal.payment("A")?.taken == taken)
            let notSent = HistoryEntry(at: .wholeSecond + 2, state: .notSent)
            #expect(try await !journal.transition(charged, receipt: nil, because: notSent))
            #expect(try await journal.transition("A", from: .processing, receipt: nil, because: notSent))
            #expect(try await journal.payment("A")?.taken == taken)
            #expect(try await journal.search(PaymentQuery()).payments.map(\.taken) == [taken])
            #expect(try await journal.claim(.sample("A", token: 1)) != .tokenTaken)
            #expect(try await journal.payment("A")?.taken == nil)
        },
        JournalPromise("a payment keeps its account and its client") { journal async throws in
            _ = try await journal.claim(.sample("A", token: 1, account: "kwd", client: "shop"))
            let payment = try await journal.payment("A")
            #expect(payment?.account == "kwd" && payment?.client == "shop")
            _ = try await journal.transition(
                "A", from: .processing, receipt: nil, because: HistoryEntry(at: .wholeSecond, state: .notSent))
            _ = try await journal.claim(.sample("A", token: 1, account: "aed", client: "shop"))
            let again = try await journal.payment("A")
            #expect(again?.account == "aed" && again?.client == "shop")
        },
    ]
}
