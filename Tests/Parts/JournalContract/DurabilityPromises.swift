import Foundation
import PaymentRelay
import Testing

extension JournalPromise {
    static let durability: [JournalPromise] = [
        JournalPromise("S16: durability checks succeed, many at once too, and change nothing that is read") {
            journal async throws in
            let claim = Change.sample("A", token: 1)
            #expect(try await journal.claim(claim) == .written)
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 { group.addTask { try await journal.checkDurability() } }
                try await group.waitForAll()
            }
            #expect(try await journal.payment("A") == claim.after)
            #expect(try await journal.payment("") == nil)
            #expect(try await journal.openPayments(limit: 9) == [claim.after])
            #expect(try await journal.history(of: "A").count == 1)
            #expect(try await journal.history(of: "").isEmpty)
            #expect(try await journal.eventSummary() == EventSummary())
            let later = Date.wholeSecond + 3_600
            #expect(
                try await journal.lease(Payment.self, limit: 9, at: later, until: later + 1).map(\.merchantReference)
                    == ["A"])
        }
    ]
}
