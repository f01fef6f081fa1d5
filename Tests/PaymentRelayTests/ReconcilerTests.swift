import Foundation
import Logging
import Synchronization
import Testing

@testable import PaymentRelay

@Suite struct ReconcilerTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test func openPaymentsAreAskedAboutUntilThereIsAFinalWord() async throws {
        let asked = Mutex(0)
        let processor = ScriptedProcessor(
            onCharge: { _ in .unanswered(reason: "timeout") },
            onQuery: { _ in
                let count = asked.withLock {
                    $0 += 1; return $0
                }
                return count < 3
                    ? .answered(ProcessorAnswer(.pending(reason: "on hold"))) : .answered(ProcessorAnswer(.captured))
            })
        let journal = MemoryJournal()
        let moment = Mutex(Date())
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, processor: processor,
            logger: logger, now: { moment.withLock { $0 } })
        _ = try await relay.pay(.sample("A"))

        let reconciler = Reconciler(relay: relay, logger: logger)
        var schedule = ReconciliationSchedule()
        for _ in 0..<5 {
            await reconciler.workOff(&schedule)
            moment.withLock { $0 += 10 }
        }
        #expect(await journal.payment("A")?.state == .captured)
        #expect(await processor.queries.count == 3)
        #expect(await processor.charges.count == 1)
    }

    @Test func pausesGrowToAMinuteAndAreForgottenWithThePayment() {
        var schedule = ReconciliationSchedule()
        var moment = Date(timeIntervalSince1970: 0)
        var pauses: [Double] = []
        for _ in 0..<9 {
            schedule.asked("A", at: moment)
            var pause = 0.0
            while !schedule.isDue("A", at: moment + pause) { pause += 0.01 }
            pauses.append(pause)
            moment += pause
        }
        #expect(pauses[0] <= 1.01 && pauses[8] <= 60.01 && pauses[8] >= 45)
        schedule.keepOnly([])
        #expect(schedule.isDue("A", at: moment))
    }
}
