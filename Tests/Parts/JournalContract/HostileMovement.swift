import Foundation
public import PaymentRelay
import PayrelayPrimitives
public import Testing

/// A row that a process with access to the database may leave among the movements.
public struct HostileMovement: Sendable, CustomTestStringConvertible {
    public let testDescription: String
    /// The assignment of an `UPDATE movement SET …`.
    public let assignment: String

    private init(_ assignment: String) {
        testDescription = assignment
        self.assignment = assignment
    }

    public static let all = [
        "amount = 9223372036854775807", "amount = -9223372036854775807", "amount = 0", "amount = 10000000000",
        "kind = 0", "kind = 4", "kind = 9223372036854775807", "currency = 'nonsense'", "currency = ''",
        "currency = 'aed'",
    ].map(HostileMovement.init)

    /// Checks that the two movements of the payment `bad` are left out of the books and reported, and that the others are
    /// summed.
    public func check(
        _ journal: any Journal, observed: () -> Int, tamper: (_ assignment: String) async throws -> Void
    ) async throws {
        for (number, reference) in ["bad", "worse", "good"].enumerated() {
            _ = try await journal.claim(.sample(reference, token: number))
            let entry = HistoryEntry(at: .wholeSecond, state: .captured, balance: Balance(captured: 5))
            #expect(try await journal.transition(reference, from: .processing, receipt: nil, because: entry))
        }
        try await tamper(assignment)
        let settlement = try await journal.settlement(from: .wholeSecond, until: .wholeSecond + 1)
        #expect(settlement.unreadableRecords == 2)
        #expect(settlement.totals.map(\.charged) == [Settlement.Sum(count: 1, amount: 5)])
        #expect(observed() == 1)
        let page = try await journal.movements(
            until: .wholeSecond + 1, after: MovementCursor(start: .wholeSecond), limit: 2)
        #expect(page.movements.allSatisfy { $0.merchantReference == "good" })
        let next = try #require(page.next)
        let rest = try await journal.movements(until: .wholeSecond + 1, after: next, limit: 2)
        #expect((page.movements + rest.movements).map(\.merchantReference) == ["good"])
        #expect(observed() == 3)
    }
}
