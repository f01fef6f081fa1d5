import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// A disk without space for another entry of the journal, simulated by a limit on the size of the relay's files. SQLite's write
/// fails in the same way, no privilege is needed, and the limit can be lifted while the relay runs.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: prlimitCommand), "needs prlimit(1)"))
struct FullDiskTests {
    /// Starts a relay in which a write beyond the limit fails with an error, instead of ending the process with SIGXFSZ.
    private func relay(fortTimeoutSeconds: Int = 30) async throws -> RunningRelay {
        try await RunningRelay(
            launcher: ["/bin/sh", "-c", "trap '' XFSZ; exec \"$@\"", "sh"],
            ["PAYRELAY_FORT_TIMEOUT_SECONDS": "\(fortTimeoutSeconds)"])
    }

    @Test("S12: with a full disk a payment is answered with 503 and not charged")
    func aPaymentThatCannotBeJournaledIsNotCharged() async throws {
        let relay = try await relay()
        let paid = try Orders.body().json
        let first = try await relay.pay(paid)
        #expect(first.outcome == "captured")

        try relay.limitFiles(to: relay.writeAheadLogSize)
        let reference = Orders.reference()
        let order = try Orders.body(reference).json
        for _ in 1...2 {
            let answer = try await relay.pay(order)
            #expect(answer.status == 503 && answer.problem == "journal-unavailable")
            #expect(answer.header("Retry-After") != nil)
        }
        #expect(try await relay.pay(paid).body == first.body)
        try await relay.waitUntilReady(false)
        #expect(try await relay.admin("/ready").json?["journal"] == "down")
        #expect(try await relay.sandbox.books().count == 1)

        try relay.limitFiles(to: nil)
        try await relay.waitUntilReady(true)
        #expect(try await relay.pay(order).outcome == "captured")
        #expect(try await relay.sandbox.charges(of: reference) == 1)
    }

    /// A smaller write would still succeed.
    @Test("S16: a disk with space for less than a claim is not ready")
    func aDiskWithRoomForLessThanAClaimIsNotReady() async throws {
        let relay = try await relay()
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")
        try await relay.waitUntilReady(true)
        let pageInLog = 4_096 + 24
        try relay.limitFiles(to: relay.writeAheadLogSize + 3 * pageInLog)
        #expect(try await relay.pay(Orders.body().json).problem == "journal-unavailable")
        // An answer is cached for a second. The first new answer after the failed claim must be 503. A scrape of the metrics
        // checks the journal, too.
        let trials = #"payrelay_journal_duration_seconds_count{operation="check_durability"}"#
        let before = try #require(try await relay.metric(trials))
        try await relay.program.wait(for: "the next check of the journal") { try await relay.metric(trials) != before }
        for _ in 1...3 { #expect(try await relay.admin("/ready").status == 503) }
        #expect(try await relay.sandbox.books().count == 1)
    }

    @Test("R5: a charge whose outcome could not be journaled is reconciled")
    func anOutcomeThatCouldNotBeJournaledIsReconciled() async throws {
        // The timeout is long enough for the test to fill the disk meanwhile.
        let relay = try await relay(fortTimeoutSeconds: 60)
        let reference = Orders.reference()
        let order = try Orders.body(reference, amount: 10_408).json
        async let answer = relay.pay(order)
        try await relay.program.wait(for: "the charge") { try await relay.sandbox.charges(of: reference) == 1 }
        try relay.limitFiles(to: relay.writeAheadLogSize)
        #expect(try await answer.status == 202)
        #expect(try await answer.outcome == "uncertain")
        try await relay.program.wait(toPrint: "outcome not journaled")

        try relay.limitFiles(to: nil)
        try await Audit(relay: relay).compare([reference: "uncertain"])
        #expect(try await relay.finalOutcome(of: reference) == "captured")
    }
}

extension RunningRelay {
    /// Limits the size of the running process's files, in bytes. `nil` lifts the limit.
    fileprivate func limitFiles(to size: Int?) throws {
        let limit = size.map(String.init) ?? "unlimited"
        let prlimit = try FinishedProgram([
            prlimitCommand, "--pid", "\(program.processIdentifier)", "--fsize=\(limit):unlimited",
        ])
        try #require(prlimit.succeeded)
    }
}

/// A program of util-linux that changes the limits of a running process.
private let prlimitCommand = "/usr/bin/prlimit"
