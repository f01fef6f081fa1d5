import PayrelayPrimitives
import Foundation
import PaymentRelay
import Testing

extension JournalPromise {
    static let retention = [
        JournalPromise("open payments are counted, and the overdue among them") { journal async throws in
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
        JournalPromise("customer data is erased once, from settled payments alone, and the history says so") {
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
