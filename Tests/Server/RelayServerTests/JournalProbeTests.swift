import Foundation
import Logging
import Synchronization
import Testing

@testable import RelayServer

/// However many ask whether the journal records, it is tried once, and nobody waits for a disk that hangs.
@Suite(.timeLimit(.minutes(5))) struct JournalProbeTests {
    private struct DiskFull: Error {}

    @Test func sharesOneTrialAmongConcurrentProbes() async {
        let trials = Mutex(0)
        let gate = Mutex(false)
        let readiness = readiness(answerLifetime: .seconds(3_600)) {
            trials.withLock { $0 += 1 }
            while !gate.withLock({ $0 }) { await Task.yield() }
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
        let readiness = readiness(answerLifetime: .zero) { if isFull.withLock({ $0 }) { throw DiskFull() } }
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
        }
        for _ in 0..<20 { #expect(await !readiness.isReady()) }
        #expect(trials.withLock { $0 } == 1)
        gate.withLock { $0 = true }
        while await !readiness.isReady() { try await Task.sleep(for: .milliseconds(1)) }
        #expect(trials.withLock { $0 } == 2)
    }

    @Test func readyReportsTheTrial() async throws {
        let bench = try ServerBench()
        let full = readiness(answerLifetime: .zero) { throw DiskFull() }
        #expect(
            try await bench.admin("/ready", readiness: full)
                == #"{"status":"not ready","journal":"down","fort":[{"account":"default","state":"not_asked"}]}"#)
    }

    private func readiness(
        answerLifetime: Duration, timeout: Duration = .seconds(60), _ check: @escaping @Sendable () async throws -> Void
    ) -> JournalProbe {
        JournalProbe(
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, answerLifetime: answerLifetime,
            timeout: timeout, check: check)
    }
}
