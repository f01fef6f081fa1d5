import CMSReference
import Crypto
import Foundation
import Testing
import TokenMint

@testable import ApplePayToken

/// A comparison of the verification with OpenSSL's own parser and `CMS_verify`, and of the verification with and without a
/// known pair of certificates. If a message is accepted, `CMS_verify` accepts it too, with the same signer and signing time. If
/// only `CMS_verify` accepts a message, it was refused by a check that `CMS_verify` does not make.
@Suite struct DifferentialTests {
    /// The number of cases. A case's number seeds its mutations; the minted signatures under them are new in each run. `make
    /// differential` runs more cases.
    private static let usualCount = 4_000
    private static let variable = "PAYRELAY_DIFFERENTIAL_CASES"
    private static let workers = 4

    @Test func acceptsOnlyWhatOpenSSLAccepts() async throws {
        let subjects = try DifferentialSubject.all()
        let named = ProcessInfo.processInfo.environment[Self.variable]
        let count = try #require(
            named == nil ? Self.usualCount : named.flatMap { Int($0) }, "\(Self.variable) is not a number")
        let counted = await withTaskGroup { group in
            for worker in 0..<Self.workers {
                group.addTask {
                    var tally = DifferentialTally()
                    for number in stride(from: worker, to: count, by: Self.workers) {
                        tally.count(Result { try subjects[number % subjects.count].run(number) }, of: number)
                        // Other tests must get their turn.
                        await Task.yield()
                    }
                    return tally
                }
            }
            return await group.reduce(into: DifferentialTally()) { $0.add($1) }
        }
        #expect(counted.disagreements.isEmpty, "\(counted)")
        #expect(counted.failures.isEmpty)
        // The cases must reach every possible result.
        #expect(counted.known > count / 20, "\(counted)")
        #expect(counted.accepted > count / 50, "\(counted)")
        #expect(counted.acceptedByOpenSSLAlone.values.reduce(0, +) > count / 100, "\(counted)")
        #expect(counted.refusals.keys.count >= 9, "\(counted)")
    }
}

struct DifferentialTally {
    var accepted = 0
    /// The number of cases that were judged with the known pair.
    var known = 0
    /// For each check, the number of cases that it refused first although `CMS_verify` accepts them.
    var acceptedByOpenSSLAlone: [CheckName: Int] = [:]
    /// For each check, the number of cases that it refused first.
    var refusals: [CheckName: Int] = [:]
    var disagreements: [Int] = []
    var failures: [Int: String] = [:]

    mutating func count(_ outcome: Result<DifferentialSubject.Outcome, any Error>, of number: Int) {
        switch outcome {
        case .success(let outcome):
            if !outcome.agrees { disagreements.append(number) }
            if outcome.known != nil { known += 1 }
            guard let refusal = outcome.verification.firstFailure?.name else {
                accepted += 1
                return
            }
            refusals[refusal, default: 0] += 1
            if outcome.reference.is_valid { acceptedByOpenSSLAlone[refusal, default: 0] += 1 }
        case .failure(let error): failures[number] = "\(error)"
        }
    }

    mutating func add(_ other: DifferentialTally) {
        accepted += other.accepted
        known += other.known
        acceptedByOpenSSLAlone.merge(other.acceptedByOpenSSLAlone, uniquingKeysWith: +)
        refusals.merge(other.refusals, uniquingKeysWith: +)
        disagreements += other.disagreements
        failures.merge(other.failures) { first, _ in first }
    }
}

extension DifferentialSubject.Outcome {
    /// Checks that `CMS_verify` does not make, or makes less strictly.
    private static let stricter: Set<CheckName> = [
        .structure, .signer, .leafMarker, .intermediateMarker, .signedAttributes, .algorithms, .detached, .message,
        .freshness,
    ]

    fileprivate var agrees: Bool {
        if let known, known != verification { return false }
        if verification.isValid {
            return reference.is_valid && reference.certificates == verification.certificates.count
                && reference.signingTime == verification.signingTime
                && verification.leaf.map { Array(SHA256.hash(data: $0.der)) } == reference.signerDigest
        }
        if reference.is_valid { return verification.firstFailure.map { Self.stricter.contains($0.name) } ?? false }
        // If no stricter check comes before it, the signature is valid for both or for neither.
        guard verification[.signedAttributes]?.verdict == .passed, verification[.algorithms]?.verdict == .passed else {
            return true
        }
        return (verification[.signature]?.verdict == .passed) == reference.is_signed
    }
}
