import Foundation
public import PaymentRelay
public import Testing

/// A row that a process with access to the database may leave there, and that no version of this code wrote.
public struct HostileRow: Sendable, CustomTestStringConvertible {
    public let testDescription: String
    /// The assignment of an `UPDATE payment SET …`.
    public let assignment: String

    private init(_ assignment: String) {
        testDescription = assignment
        self.assignment = assignment
    }

    private static let most = "9223372036854775807"

    /// - Parameter blob: Returns the database's notation for bytes, from hex.
    public static func all(blob: (String) -> String) -> [HostileRow] {
        let operation =
            #"{"id":"x","command":"CAPTURE","amount":\#(most),"captured_before":\#(most),"refunded_before":0,"#
            + #""begun_at":1,"state":"uncertain","changed_at":1}"#
        let open = operation.replacing(most, with: "1")
        let texts = [
            "[\(operation)]", "[\(open.replacing(#""amount":1"#, with: #""amount":1e3"#))]",
            "[\(open.replacing(#""amount":1"#, with: #""amount":-5"#))]",
            "[\(open.replacing(#""begun_at":1"#, with: #""begun_at":\#(most)"#))]", "[\(open),\(open)]",
            "[\(open.replacing(#""id":"x","#, with: ""))]", "[\(open.replacing(#""id":"x""#, with: #""id":"""#))]",
            "{}", "[", "",
        ]
        return [
            "amount = \(most)", "amount = -1", "amount = 0", "captured = \(most)", "captured = -5", "refunded = 1",
            "currency = 'nonsense'",
            "captured = 5, refunded = 6", "claimed_at = \(most)", "claimed_at = -\(most)",
            "state = 'paid'", "command = 'REFUND'",
            "archived = 0", "archived = -1", "archived = 2", "archived = \(most)",
        ].map(HostileRow.init)
            + texts.map { text in
                let hex = text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                return HostileRow("operations = \(blob(hex))")
            }
    }

    /// Checks that the payment `bad`, to which the row belongs, is set aside each time it is met, and that the payment `good`
    /// goes on.
    ///
    /// - Parameters:
    ///   - observed: The number of records that were set aside so far.
    ///   - tamper: Changes the row.
    public func check(
        _ journal: any Journal, observed: () -> Int, tamper: (_ assignment: String) async throws -> Void
    ) async throws {
        let bad = Change.sample("bad", token: 1)
        #expect(try await journal.claim(bad) == .written)
        #expect(try await journal.claim(.sample("good", token: 2)) == .written)
        try await tamper(assignment)

        let leased = try await journal.lease(Payment.self, limit: 9, at: .wholeSecond + 1, until: .wholeSecond + 60)
        #expect(leased.map(\.merchantReference) == ["good"])
        #expect(observed() == 1)
        #expect(try await journal.openPayments(limit: 9).map(\.merchantReference) == ["good"])
        let sums = try await journal.totals(of: PaymentQuery()).sums
        #expect(!sums.isEmpty && sums.allSatisfy { $0.amount == $0.count * 9_999_999_999 && $0.captured == 0 })
        let error = await #expect(throws: JournalError.self) { try await journal.payment("bad") }
        guard case .unreadable(let unreadable) = error, unreadable.merchantReference == "bad" else {
            Issue.record("a row that cannot be read was not reported as unreadable")
            return
        }
        guard case .recordUnreadable(let record) = try await journal.claim(bad) else {
            Issue.record("the reference of a record that cannot be read was claimed")
            return
        }
        #expect(record.merchantReference == "bad" && observed() == 4)
        // The row's token stays used, and the row blocks only its own reference.
        #expect(try await journal.claim(.sample("other", token: 1)) == .tokenTaken)
        #expect(try await journal.claim(.sample("other", token: 3)) == .written)
        let declined = HistoryEntry(at: .wholeSecond, state: .declined)
        #expect(try await journal.transition("other", from: .processing, receipt: nil, because: declined))
        // The row's lease expires and the row is met again. It must not make the other payment wait.
        let again = try await journal.lease(Payment.self, limit: 9, at: .wholeSecond + 61, until: .wholeSecond + 120)
        #expect(again.map(\.merchantReference) == ["good"])
        let good = try #require(try await journal.payment("good"))
        #expect(
            try await journal.transition(good, receipt: [1], because: HistoryEntry(at: .wholeSecond, state: .captured)))
    }
}
