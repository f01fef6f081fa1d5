import Foundation
import PaymentRelay
import PayrelayPrimitives
import Testing

extension JournalPromise {
    static let transitions: [JournalPromise] = [
        JournalPromise("a transition is written with its receipt and history") { journal async throws in
            let claim = Change.sample("A", token: 1)
            _ = try await journal.claim(claim)
            let entry = HistoryEntry(
                at: .wholeSecond, state: .captured, balance: Balance(captured: 7, refunded: 3), reason: "r")
            #expect(try await journal.transition("A", from: .processing, receipt: [0, 255], because: entry))
            var expected = claim.after
            expected.state = .captured
            expected.receipt = [0, 255]
            expected.balance = Balance(captured: 7, refunded: 3)
            expected.version = 2
            #expect(try await journal.payment("A") == expected)
            #expect(try await journal.history(of: "A") == [claim.entry, entry])
        },
        JournalPromise("a transition from a past state writes nothing") { journal async throws in
            _ = try await journal.claim(.sample("A", token: 1))
            let entry = HistoryEntry(at: .wholeSecond, state: .captured)
            #expect(try await !journal.transition("A", from: .uncertain, receipt: nil, because: entry))
            #expect(try await !journal.transition("none", from: .processing, receipt: nil, because: entry))
            #expect(try await journal.payment("A")?.state == .processing)
            #expect(try await journal.history(of: "A").count == 1)
        },
        JournalPromise("the holder of an earlier claim does not change a later one") { journal async throws in
            let first = Change.sample("A", token: 1)
            _ = try await journal.claim(first)
            let unsent = HistoryEntry(at: .wholeSecond, state: .notSent)
            #expect(try await journal.transition(first.after, receipt: nil, because: unsent))
            let second = Change.sample("A", token: 1, at: .wholeSecond + 0.001)
            #expect(try await journal.claim(second) == .written)
            #expect(try await !journal.transition(first.after, receipt: nil, because: unsent))
            #expect(try await journal.payment("A")?.state == .processing)
        },
        JournalPromise("of many transitions at once, one is written") { journal async throws in
            _ = try await journal.claim(.sample("A", token: 1))
            let moved = try await withThrowingTaskGroup { group in
                for number in 0..<50 {
                    let entry = HistoryEntry(
                        at: .wholeSecond, state: number.isMultiple(of: 2) ? .captured : .declined, reason: "\(number)")
                    group.addTask {
                        let receipt = [UInt8(number)]
                        return try await journal.transition("A", from: .processing, receipt: receipt, because: entry)
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            let payment = try #require(try await journal.payment("A"))
            let history = try await journal.history(of: "A")
            #expect(moved == 1)
            #expect(history.map(\.state) == [.processing, payment.state])
            #expect(payment.receipt?.map { "\($0)" } == history.last?.reason.map { [$0] })
        },
        JournalPromise("R4: a payment that was not sent frees its reference, token and key") { journal async throws in
            _ = try await journal.claim(.sample("A", token: 1, key: "k"))
            _ = try await journal.transition(
                "A", from: .processing, receipt: [1], because: HistoryEntry(at: .wholeSecond, state: .notSent))
            #expect(try await journal.claim(.sample("B", token: 1, key: "k")) == .written)
            #expect(try await journal.claim(.sample("A", token: 1)) == .tokenTaken)
            #expect(try await journal.claim(.sample("A", token: 2, key: "k")) == .keyTaken)
            let second = Change.sample("A", token: 2, leasedFor: .seconds(30))
            #expect(try await journal.claim(second) == .written)
            var expected = second.after
            expected.version = 3
            #expect(try await journal.payment("A") == expected)
            #expect(try await journal.history(of: "A").map(\.state) == [.processing, .notSent, .processing])
        },
        JournalPromise("S7: if a payment was not sent, only its own client can claim it again") {
            journal async throws in
            let first = Change.sample("A", token: 1, client: "shop")
            _ = try await journal.claim(first)
            _ = try await journal.transition(
                "A", from: .processing, receipt: [1], because: HistoryEntry(at: .wholeSecond, state: .notSent))
            let known = try #require(try await journal.payment("A"))
            #expect(try await journal.claim(.sample("A", token: 2, client: "bank")) == .referenceTaken(known))
            #expect(try await journal.claim(.sample("A", token: 2)) == .referenceTaken(known))
            #expect(try await journal.claim(.sample("A", token: 2, client: "shop")) == .written)
            #expect(try await journal.payment("A")?.client == "shop")
        },
        JournalPromise("R1: of many claims at once of a payment that was not sent, one wins") { journal async throws in
            _ = try await journal.claim(.sample("A", token: 1))
            _ = try await journal.transition(
                "A", from: .processing, receipt: [1], because: HistoryEntry(at: .wholeSecond, state: .notSent))
            let wins = try await withThrowingTaskGroup { group in
                for number in 0..<100 {
                    group.addTask { try await journal.claim(.sample("A", token: number)) == .written }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(wins == 1)
            #expect(try await journal.history(of: "A").map(\.state) == [.processing, .notSent, .processing])
        },
        JournalPromise("open payments are listed oldest first") { journal async throws in
            for (place, reference) in ["C", "A", "B", "D"].enumerated() {
                _ = try await journal.claim(.sample(reference, token: place, at: .wholeSecond + Double(place)))
            }
            _ = try await journal.transition(
                "A", from: .processing, receipt: nil, because: HistoryEntry(at: .wholeSecond, state: .captured))
            _ = try await journal.transition(
                "B", from: .processing, receipt: nil, because: HistoryEntry(at: .wholeSecond, state: .uncertain))
            #expect(try await journal.openPayments(limit: 10).map(\.merchantReference) == ["C", "B", "D"])
            #expect(try await journal.openPayments(limit: 2).map(\.merchantReference) == ["C", "B"])
        },
    ]
}
