import Foundation
import Testing
import TokenMint

@testable import ApplePayToken

/// The verification by known messages against the one through OpenSSL. What the first accepts, the second must accept
/// with the same verdicts, details, time and certificates. (What the first does not accept is judged by the second.)
@Suite struct DifferentialTests {
    /// A case's number seeds its mutations; the minted signatures under them are new in each run.
    private static let caseCount = 20_000
    private static let workers = 4

    @Test func acceptsOnlyWhatOpenSSLAccepts() async throws {
        let subjects = try DifferentialSubject.all()
        let counted = await withTaskGroup { group in
            for worker in 0..<Self.workers {
                group.addTask {
                    var tally = DifferentialTally()
                    for number in stride(from: worker, to: Self.caseCount, by: Self.workers) {
                        tally.count(Result { try subjects[number % subjects.count].run(number) }, of: number)
                        // Other tests want their turn.
                        await Task.yield()
                    }
                    return tally
                }
            }
            return await group.reduce(into: DifferentialTally()) { $0.add($1) }
        }
        #expect(counted.disagreements.isEmpty, "\(counted)")
        #expect(counted.failures.isEmpty)
        // The cases must reach every way a message can go.
        #expect(counted.acceptedByBoth > Self.caseCount / 50, "\(counted)")
        #expect(counted.acceptedByOpenSSLAlone > Self.caseCount / 100, "\(counted)")
        #expect(counted.refusals.keys.count >= 9, "\(counted)")
    }
}

struct DifferentialTally {
    var acceptedByBoth = 0
    var acceptedByOpenSSLAlone = 0
    /// How many cases each check refused first.
    var refusals: [CheckName: Int] = [:]
    var disagreements: [Int] = []
    var failures: [Int: String] = [:]

    mutating func count(_ outcome: Result<DifferentialSubject.Outcome, any Error>, of number: Int) {
        switch outcome {
        case .success(let outcome):
            if let quick = outcome.quick, quick != outcome.reference { disagreements.append(number) }
            if let refusal = outcome.reference.firstFailure {
                refusals[refusal.name, default: 0] += 1
            } else if outcome.quick != nil {
                acceptedByBoth += 1
            } else {
                acceptedByOpenSSLAlone += 1
            }
        case .failure(let error): failures[number] = "\(error)"
        }
    }

    mutating func add(_ other: DifferentialTally) {
        acceptedByBoth += other.acceptedByBoth
        acceptedByOpenSSLAlone += other.acceptedByOpenSSLAlone
        refusals.merge(other.refusals, uniquingKeysWith: +)
        disagreements += other.disagreements
        failures.merge(other.failures) { first, _ in first }
    }
}
