import Foundation
public import PaymentRelay
public import Testing

/// The row of a hint that no version of this code wrote.
public struct HostileHint: Sendable, CustomTestStringConvertible {
    public let testDescription: String
    /// The assignment of an `UPDATE work SET …`.
    public let assignment: String
    /// Whether the row can still be read as a hint.
    private let isReadable: Bool

    private init(_ assignment: String, isReadable: Bool = false) {
        testDescription = assignment
        self.assignment = assignment
        self.isReadable = isReadable
    }

    private static let most = "9223372036854775807"

    /// Returns a payload with a member that no version of this code wrote.
    private static func payload(_ member: String, _ value: String) -> String {
        let members = [
            ("hint", #""{\"statement\":\"captured\",\"charge\":\"PURCHASE\"}""#), ("kind", #""direct""#),
            ("is_mixed", "false"), ("charges", "[]"), ("queries_in_vain", "0"),
        ]
        let written = members.map { #""\#($0)":\#($0 == member ? value : $1)"# }.joined(separator: ",")
        return "payload = '{\(written)}'"
    }

    public static let all =
        [
            "payload = ''", "payload = '{'", "payload = '[]'", "payload = NULL", payload("hint", #""""#),
            payload("hint", #""{\"statement\":\"paid\",\"charge\":\"PURCHASE\"}""#),
            payload("hint", #""{\"statement\":\"captured\"}""#),
            payload("hint", #""{\"statement\":\"captured\",\"charge\":\"PURCHASE\",\"operation\":\"REFUND\"}""#),
            payload("hint", #""{\"statement\":\"captured\",\"charge\":\"PURCHASE\",\"amount\":-1}""#),
            payload("kind", #""rumour""#), payload("is_mixed", "1"), payload("queries_in_vain", "-1"),
            payload("queries_in_vain", most), payload("queries_in_vain", "1e3"), payload("charges", #"["a b"]"#),
            payload("charges", #"[""]"#), payload("charges", "[1]"), payload("charges", #"["1","2","3","4","5"]"#),
            "newest = \(most)", "newest = -\(most)", "newest = 0",
        ].map { HostileHint($0) }
        + [
            "due_at = \(most)", "due_at = -\(most)", "since = \(most)", "since = -\(most)",
            "due_at = \(most), since = \(most)", "attempt = \(most)", "attempt = -\(most)",
        ].map { HostileHint($0, isReadable: true) }

    /// Checks that the row is deleted, or read as far as it makes sense, and that work on other hints and on the row's
    /// reference goes on.
    ///
    /// - Parameter tamper: Changes the row of the reference `bad`.
    public func check(_ journal: any Journal, tamper: (_ assignment: String) async throws -> Void) async throws {
        let start = Date.wholeSecond
        for reference in ["bad", "good"] {
            #expect(try await journal.add(.sample(reference), kind: .direct, at: start, limit: 2))
        }
        try await tamper(assignment)
        #expect(try await journal.hintSummary().count == 2)
        try await journal.purge(at: start + 9 + 86_400)
        let leased = try await journal.lease(PendingHint.self, limit: 9, at: start, until: start + 60)
        #expect(Set(leased.map(\.hint.merchantReference)) == (isReadable ? ["bad", "good"] : ["good"]))
        for pending in leased { try await journal.end(pending, as: .answered, at: start + 1) }
        #expect(try await journal.hintSummary() == HintSummary())

        // New hints about the reference are handled, even if they meet such a row, waiting or in its cooldown.
        for isAtRest in [false, true] {
            #expect(try await journal.add(.sample("bad"), kind: .direct, at: start + 2, limit: 2))
            if isAtRest {
                let pending = try await journal.leaseHint(at: start + 2, until: start + 60)
                try await journal.end(pending, as: .inVain(cooldownUntil: start + 3), at: start + 2)
            }
            try await tamper(assignment)
            #expect(try await journal.add(.sample("bad", amount: 7), kind: .direct, at: start + 4, limit: 2))
            let again = try await journal.lease(PendingHint.self, limit: 9, at: start + 4, until: start + 60)
            #expect(again.allSatisfy { $0.hint == .sample("bad", amount: 7) })
            for pending in again { try await journal.end(pending, as: .answered, at: start + 5) }
            #expect(try await journal.hintSummary() == HintSummary())
        }
        #expect(try await journal.add(.sample("bad"), kind: .direct, at: start + 6, limit: 2))
        let last = try await journal.leaseHint(at: start + 6, until: start + 60)
        try await tamper(assignment)
        try await journal.end(last, as: .inVain(cooldownUntil: start + 9), at: start + 6)
        _ = try await journal.lease(PendingHint.self, limit: 9, at: start + 60, until: start + 70)
        _ = try await journal.lease(PendingHint.self, limit: 9, at: start + 70, until: start + 80)
        try await journal.purge(at: start + 99 + 86_400)
        #expect(try await journal.add(.sample("bad"), kind: .direct, at: start + 99, limit: 1))
    }
}
