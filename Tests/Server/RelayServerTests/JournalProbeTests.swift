import Foundation
import Logging
import PaymentRelay
import PayrelayPrimitives
import Synchronization
import Testing

@testable import RelayServer

/// Many requests may ask whether the journal records. The journal is tried once, and no request waits for a disk that hangs.
@Suite(.timeLimit(.minutes(25))) struct JournalProbeTests {
    private struct DiskFull: Error {}

    @Test func sharesOneTrialAmongConcurrentProbes() async {
        let trials = Mutex(0)
        let gate = Mutex(false)
        let readiness = readiness(answerLifetime: .seconds(3_600)) {
            trials.withLock { $0 += 1 }
            while !gate.withLock({ $0 }) { await Task.yield() }
            return []
        }
        let answers = await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { await readiness.isReady() } }
            while trials.withLock({ $0 }) == 0 { await Task.yield() }
            for _ in 0..<1_000 { await Task.yield() }
            gate.withLock { $0 = true }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: true, count: 100))
        #expect(await readiness.isReady())
        #expect(trials.withLock { $0 } == 1)
    }

    @Test func triesAgainAfterTheAnswerExpired() async {
        let isFull = Mutex(false)
        let readiness = readiness(answerLifetime: .zero) {
            if isFull.withLock({ $0 }) { throw DiskFull() }
            return []
        }
        #expect(await readiness.isReady())
        isFull.withLock { $0 = true }
        #expect(await !readiness.isReady())
        isFull.withLock { $0 = false }
        #expect(await readiness.isReady())
    }

    @Test func isNotReadyWhileTheJournalHangs() async throws {
        let trials = Mutex(0)
        let gate = Mutex(false)
        let readiness = readiness(answerLifetime: .zero, timeout: .milliseconds(50)) {
            let isFirst = trials.withLock {
                $0 += 1
                return $0 == 1
            }
            while isFirst, !gate.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            return []
        }
        for _ in 0..<20 { #expect(await !readiness.isReady()) }
        #expect(trials.withLock { $0 } == 1)
        gate.withLock { $0 = true }
        while await !readiness.isReady() { try await Task.sleep(for: .milliseconds(1)) }
        // On a busy machine the second trial may be late, too.
        #expect(trials.withLock { $0 } >= 2)
    }

    @Test func readyReportsTheTrial() async throws {
        let bench = try ServerBench()
        let full = readiness(answerLifetime: .zero) { throw DiskFull() }
        #expect(
            try await bench.admin("/ready", readiness: full)
                == #"{"status":"not ready","journal":"down","fort":[{"account":"default","state":"not_asked","chargeable":false,"reason":"no answer of FORT for the account has been verified since the relay started. The account was not queried yet."}]}"#
        )
    }

    @Test(
        "R5: a database that does not wait is reported by /ready, by a metric, and once by the log, and payments continue"
    )
    func whatTheDatabaseCouldLoseIsTold() async throws {
        let bench = try ServerBench()
        let gaps = Mutex([DurabilityGap.noSynchronousStandby])
        let probe = readiness(answerLifetime: .zero) { gaps.withLock { $0 } }
        let told = try await JSON(parsing: bench.admin("/ready", readiness: probe))
        #expect(told["status"] == "ready" && told["durability_gaps"] == ["no_synchronous_standby"])
        let name = "payrelay_journal_durability_gap"
        let metrics = try await bench.admin("/metrics", readiness: probe)
        #expect(metrics.contains("\(name){gap=\"no_synchronous_standby\"} 1"))
        #expect(metrics.contains("\(name){gap=\"disk_not_awaited\"} 0"))
        gaps.withLock { $0 = [] }
        #expect(try await JSON(parsing: bench.admin("/ready", readiness: probe))["durability_gaps"] == nil)
        let full = readiness(answerLifetime: .zero) { throw DiskFull() }
        #expect(try await !bench.admin("/metrics", readiness: full).contains("\(name){"))
    }

    private func readiness(
        answerLifetime: Duration, timeout: Duration = .seconds(86_400),
        _ check: @escaping @Sendable () async throws -> [DurabilityGap]
    ) -> JournalProbe {
        JournalProbe(
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, answerLifetime: answerLifetime,
            timeout: timeout, check: check)
    }
}
