import Foundation
import PaymentRelay
import SQLiteJournal
import Testing

/// What every journal promises, held against each of them.
@Suite struct JournalContractTests {
    enum Kind: CaseIterable {
        case memory, sqlite

        func make() throws -> any Journal {
            switch self {
            case .memory: MemoryJournal()
            case .sqlite: try SQLiteJournal(path: temporaryPath())
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func aClaimCanBeReadBack(kind: Kind) async throws {
        let journal = try kind.make()
        let claim = Claim.sample("A", token: 1)
        #expect(try await journal.claim(claim) == .claimed)
        #expect(try await journal.payment("A") == claim.payment)
        #expect(try await journal.history(of: "A") == [claim.entry])
        #expect(try await journal.payment("B") == nil)
        #expect(try await journal.history(of: "B") == [])
    }

    @Test(arguments: Kind.allCases)
    func aReferenceIsClaimedOnce(kind: Kind) async throws {
        let journal = try kind.make()
        let first = Claim.sample("A", token: 1)
        _ = try await journal.claim(first)
        #expect(try await journal.claim(.sample("A", token: 2)) == .referenceTaken(first.payment))
    }

    @Test(arguments: Kind.allCases)
    func aTokenAndAKeyAreClaimedOnce(kind: Kind) async throws {
        let journal = try kind.make()
        _ = try await journal.claim(.sample("A", token: 1, key: "k"))
        #expect(try await journal.claim(.sample("B", token: 1)) == .tokenTaken)
        #expect(try await journal.claim(.sample("C", token: 3, key: "k")) == .idempotencyKeyTaken)
        #expect(try await journal.payment("B") == nil)
        #expect(try await journal.claim(.sample("C", token: 3, key: "l")) == .claimed)
    }

    @Test(arguments: Kind.allCases)
    func oneOfManyClaimsAtOnceWins(kind: Kind) async throws {
        let journal = try kind.make()
        let wins = try await withThrowingTaskGroup { group in
            for number in 0..<200 {
                group.addTask { try await journal.claim(.sample("A", token: number)) == .claimed }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(wins == 1)
    }

    @Test(arguments: Kind.allCases)
    func aMoveIsWrittenWithItsReceiptAndHistory(kind: Kind) async throws {
        let journal = try kind.make()
        let claim = Claim.sample("A", token: 1)
        _ = try await journal.claim(claim)
        let entry = HistoryEntry(at: .wholeSecond, state: .captured, reason: "r", requestIdentifier: nil)
        #expect(try await journal.move("A", from: .processing, receipt: [1, 2], because: entry))
        var expected = claim.payment
        expected.state = .captured
        expected.receipt = [1, 2]
        #expect(try await journal.payment("A") == expected)
        #expect(try await journal.history(of: "A") == [claim.entry, entry])
    }

    @Test(arguments: Kind.allCases)
    func aMoveFromAStateThatIsPastWritesNothing(kind: Kind) async throws {
        let journal = try kind.make()
        _ = try await journal.claim(.sample("A", token: 1))
        let entry = HistoryEntry(at: .wholeSecond, state: .captured)
        #expect(try await !journal.move("A", from: .uncertain, receipt: nil, because: entry))
        #expect(try await !journal.move("none", from: .processing, receipt: nil, because: entry))
        #expect(try await journal.payment("A")?.state == .processing)
        #expect(try await journal.history(of: "A").count == 1)
    }

    @Test(arguments: Kind.allCases)
    func whatWasNotSentGivesReferenceTokenAndKeyFree(kind: Kind) async throws {
        let journal = try kind.make()
        _ = try await journal.claim(.sample("A", token: 1, key: "k"))
        _ = try await journal.move(
            "A", from: .processing, receipt: [1], because: HistoryEntry(at: .wholeSecond, state: .notSent))
        #expect(try await journal.claim(.sample("B", token: 1, key: "k")) == .claimed)
        let second = Claim.sample("A", token: 2)
        #expect(try await journal.claim(second) == .claimed)
        #expect(try await journal.payment("A") == second.payment)
        #expect(try await journal.history(of: "A").map(\.state) == [.processing, .notSent, .processing])
    }

    @Test(arguments: Kind.allCases)
    func openPaymentsComeOldestFirst(kind: Kind) async throws {
        let journal = try kind.make()
        for (place, reference) in ["C", "A", "B", "D"].enumerated() {
            _ = try await journal.claim(.sample(reference, token: place, at: .wholeSecond + Double(place)))
        }
        _ = try await journal.move(
            "A", from: .processing, receipt: nil, because: HistoryEntry(at: .wholeSecond, state: .captured))
        _ = try await journal.move(
            "B", from: .processing, receipt: nil, because: HistoryEntry(at: .wholeSecond, state: .uncertain))
        #expect(try await journal.openPayments(limit: 10).map(\.merchantReference) == ["C", "B", "D"])
        #expect(try await journal.openPayments(limit: 2).map(\.merchantReference) == ["C", "B"])
    }
}

extension Claim {
    static func sample(_ reference: String, token: Int, key: String? = nil, at moment: Date = .wholeSecond) -> Claim {
        Claim(
            payment: Payment(
                merchantReference: reference, command: .authorization, amount: 9_999_999_999, currency: "KWD",
                fingerprint: RequestFingerprint(bytes: [UInt8(truncatingIfNeeded: token), 0, 255]),
                appleTransactionIdentifier: "ab\(token)", claimedAt: moment),
            token: TokenDigest(bytes: Array("token \(token)".utf8)), idempotencyKey: key,
            entry: HistoryEntry(at: moment, state: .processing, requestIdentifier: "r-\(token)"))
    }
}

extension Date {
    static let wholeSecond = Date(timeIntervalSince1970: 1_800_000_000)
}

func temporaryPath() -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("payrelay-\(UUID().uuidString).sqlite").path
}
