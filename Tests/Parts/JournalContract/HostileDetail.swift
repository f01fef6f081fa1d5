import Foundation
public import PaymentRelay
public import Testing

/// A change, which no version of this code makes, of the rows beside a payment's history.
public struct HostileDetail: Sendable, CustomTestStringConvertible {
    public let testDescription: String
    /// Statements for the tables `history`, `query_without_change` and `event_delivery`, which hold the rows of one payment.
    public let sql: String

    private init(_ sql: String) {
        testDescription = String(sql.prefix(80))
        self.sql = sql
    }

    private static let most = "9223372036854775807"

    public static let all = [
        "UPDATE history SET note = '\(String(repeating: "<b>", count: 9_000))'",
        "UPDATE payment SET taken_by = '<script>', taken_at = \(most)",
        "UPDATE payment SET taken_by = 'sara', taken_at = NULL",
        "UPDATE history SET source = 'nonsense'", "UPDATE history SET source = ''",
        "UPDATE history SET source = '<script>alert(1)</script>'", "UPDATE history SET source = 'check_status nobody'",
        "UPDATE query_without_change SET requester = 'nobody'", "UPDATE query_without_change SET answer = '<b>'",
        "UPDATE query_without_change SET times = \(most)", "UPDATE query_without_change SET times = -1",
        "UPDATE query_without_change SET first_at = \(most)", "UPDATE query_without_change SET last_at = -\(most)",
        "UPDATE event_delivery SET result = 'lost'", "UPDATE event_delivery SET number = \(most)",
        "UPDATE event_delivery SET number = -\(most)", "UPDATE event_delivery SET at = \(most)",
        "UPDATE event_delivery SET status = \(most)", "UPDATE event_delivery SET status = -1",
        "UPDATE event_delivery SET milliseconds = -\(most)", "UPDATE event_delivery SET next_at = \(most)",
    ].map(HostileDetail.init)

    /// Checks that the payment and its history can be read, that work on the payment goes on, and that nothing traps.
    ///
    /// - Parameter tamper: Runs the statement.
    public func check(_ journal: any Journal, tamper: (_ sql: String) async throws -> Void) async throws {
        let start = Date.wholeSecond
        #expect(try await journal.claim(.sample("A", token: 1)) == .written)
        let captured = HistoryEntry(at: start, state: .captured, source: .gatewayAnswer, event: [1])
        #expect(try await journal.transition("A", from: .processing, receipt: nil, because: captured))
        let query = QueryWithoutChange(
            afterEntry: 2, requester: .reconciler, answer: .open, reason: nil, first: start, last: start, times: 1)
        try await journal.record(query, of: "A")
        func fail(at moment: Date) async throws {
            let due = try #require(
                try await journal.lease(DueEvent.self, of: nil, limit: 1, at: moment, until: moment + 0.5).first)
            try await journal.postpone(
                due, until: moment + 1,
                after: DeliveryAttempt(
                    at: moment, result: .refused, endpoint: "e", status: 500, milliseconds: 1, answer: "A's e-mail"))
        }
        try await fail(at: start)
        try await tamper(sql)

        #expect(try await journal.payment("A")?.state == .captured)
        let isSource = sql.contains("source")
        #expect(
            try await journal.history(of: "A").map(\.source)
                == (isSource ? [nil, nil] : [.client(nil), .gatewayAnswer]))
        let notes = try await journal.history(of: "A").compactMap(\.note)
        #expect(notes.allSatisfy { $0.utf8.count <= OperatorNote.byteLimit })
        _ = try await journal.queriesWithoutChange(of: "A")
        _ = try await journal.events(of: "A")
        try await journal.record(query, of: "A")
        try await fail(at: start + 1)
        try await fail(at: start + 2)
        #expect(try await journal.queriesWithoutChange(of: "A").count <= 2)
        #expect(try await journal.events(of: "A").map(\.state) == [.due])
        #expect(try await journal.eraseCustomerData(of: "A", at: start + 3, knowing: .sample))
        let attempts = try #require(try await journal.events(of: "A").first?.attempts)
        #expect(attempts.newest.isEmpty == sql.contains("number = -"))
        #expect(attempts.newest.allSatisfy { $0.answer == nil })
    }
}
