import Foundation
import JournalContract
import PaymentRelay
import PostgresDriver
import SQLJournal
import TestPostgres
import Testing

@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL's server programs are not installed"))
struct ManyInstancesTests {
    @Test(
        "R7: three instances that get the same thousand claims at once claim a thousand in all",
        .timeLimit(.minutes(25))
    ) func claimsAThousandOnceOnThreeInstances() async throws {
        try await PostgresSchema.with { schema in
            let journals = [try await schema.journal(), try await schema.journal(), try await schema.journal()]
            let claims = (0..<1_000).map { Change.sample("\($0)", token: $0, key: "\($0)") }
            let claimed = try await withThrowingTaskGroup { group in
                for claim in claims {
                    for journal in journals { group.addTask { try await journal.claim(claim) == .written } }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(claimed == 1_000)
            #expect(try schema.run("SELECT FROM history").count == 1_000)
        }
    }

    @Test("R7: no payment is leased to two instances", .timeLimit(.minutes(25))) func leasesNoPaymentToTwoInstances()
        async throws
    {
        try await PostgresSchema.with { schema in
            let journals = [try await schema.journal(), try await schema.journal()]
            for number in 0..<200 { _ = try await journals[0].claim(.sample("\(number)", token: number)) }
            let leased = try await withThrowingTaskGroup { group in
                for journal in journals {
                    for _ in 0..<4 {
                        group.addTask {
                            var mine: [String] = []
                            for _ in 0..<40 {
                                mine += try await journal.lease(
                                    Payment.self, limit: 3, at: .wholeSecond, until: .wholeSecond + 60
                                )
                                .map(\.merchantReference)
                            }
                            return mine
                        }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(leased.count == 200)
            #expect(Set(leased).count == 200)
        }
    }

    @Test("R5, R7: the lease of an instance that ended is taken over", .timeLimit(.minutes(25)))
    func takesOverTheLeaseOfAnInstanceThatEnded() async throws {
        try await PostgresSchema.with { schema in
            do {
                let ended = try await schema.journal()
                _ = try await ended.claim(.sample("A", token: 1, leasedFor: .seconds(60)))
            }
            let other = try await schema.journal()
            #expect(
                try await other.lease(Payment.self, limit: 1, at: .wholeSecond + 59, until: .wholeSecond + 120) == [])
            let taken = try await other.lease(Payment.self, limit: 1, at: .wholeSecond + 60, until: .wholeSecond + 120)
            #expect(taken.map(\.merchantReference) == ["A"])
        }
    }
}
