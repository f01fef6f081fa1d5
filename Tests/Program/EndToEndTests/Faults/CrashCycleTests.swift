import Foundation
import PayrelayPrimitives
import TestPostgres
import Testing

/// `kill -9` at every step of a payment, under load at both gateways. Each customer is charged once or not at all, the journal
/// has the right outcome, and the merchant's backend gets its events.
///
/// There are twenty cycles for each journal. `PAYRELAY_CRASH_CYCLES` sets another number (`make crash`).
@Suite struct CrashCycleTests {
    /// The step at which the relay is killed. All but the last are `FailPoint`s.
    enum Death: String, CaseIterable {
        case claimed, sent, answered, settled, committing
        /// The relay is killed from outside, at any step.
        case anywhere

        /// The number of cycles for this step, a share of all cycles.
        var cycles: Int {
            let all = ProcessInfo.processInfo.environment["PAYRELAY_CRASH_CYCLES"].flatMap { Int($0) } ?? 20
            let position = Self.allCases.firstIndex(of: self) ?? 0
            return (all + position) / Self.allCases.count
        }

        /// The setting that kills the relay at one of the first four passages of the step. Every order passes each step, and
        /// the sixteen orders of eight payers make at least four commits.
        var settings: [String: String] {
            self == .anywhere ? [:] : ["PAYRELAY_FAIL_POINT": "\(rawValue):\(Int.random(in: 1...4))"]
        }
    }

    @Test("R5: kill -9 at any step loses no charge and makes no second one", arguments: Death.allCases)
    func aCrashLosesNoChargeAndMakesNoSecondOne(death: Death) async throws {
        try await crash(death, settings: [:])
    }

    @Test(
        "R5: kill -9 at any step with PostgreSQL loses no charge and makes no second one",
        .enabled(if: PostgresServer.isAvailable, "PostgreSQL's server programs are not installed"),
        arguments: Death.allCases)
    func aCrashWithPostgreSQLLosesNoChargeAndMakesNoSecondOne(death: Death) async throws {
        try await crash(death, settings: ["PAYRELAY_JOURNAL": PostgresServer.shared.get().emptySchema()])
    }

    private func crash(_ death: Death, settings: [String: String]) async throws {
        let backend = try EventBackend(answering: 200)
        let settings = settings.merging([
            "PAYRELAY_FORT_TIMEOUT_SECONDS": "1", "PAYRELAY_PORTMONE_TIMEOUT_SECONDS": "1",
            "PAYRELAY_NOT_FOUND_AFTER_SECONDS": "2",
            "PAYRELAY_EVENTS_URL": backend.url, "PAYRELAY_EVENTS_TIMEOUT_SECONDS": "1",
            "PAYRELAY_EVENTS_SECRET": "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldY",
        ]) { $1 }
        var all: AnsweredOutcomes = [:]
        var last: RunningRelay?
        for _ in 0..<death.cycles {
            let (relay, answered) = try await cycle(death, after: last, settings)
            try await Audit(relay: relay, note: "Killed at \(death).").compare(answered)
            relay.program.signal(SIGKILL)
            try await relay.program.end()
            last = relay
            all.merge(answered) { $1 }
        }
        guard let last else { return }
        let relay = try await RunningRelay(after: last, gateways: TestedGateway.allCases, settings)
        try await Audit(relay: relay, note: "After all cycles of \(death).").compare(all)
        try await compare(backend, with: all, at: relay)
    }

    /// Checks that the last event of each order has the order's outcome.
    private func compare(_ backend: EventBackend, with answered: AnsweredOutcomes, at relay: RunningRelay) async throws
    {
        try await relay.program.wait(for: "the events") {
            try await relay.metric("payrelay_events_undelivered_payments") == 0
        }
        var received: [String: String] = [:]
        for delivery in backend.deliveries {
            let event = try JSON(parsing: delivery.body)
            received[event["merchant_reference"]?.stringValue ?? ""] = event["outcome"]?.stringValue
        }
        for reference in answered.keys {
            #expect(
                try await relay.finalOutcome(of: reference) == received[reference], "the backend got another outcome")
        }
    }

    /// Runs one cycle: a relay under load is killed, and another takes over while payers continue.
    ///
    /// - Returns: The relay that took over, and the outcomes that payers got from both.
    private func cycle(
        _ death: Death, after last: RunningRelay?, _ settings: [String: String]
    ) async throws -> (successor: RunningRelay, answered: AnsweredOutcomes) {
        let doomed = try await RunningRelay(
            after: last, gateways: TestedGateway.allCases, settings.merging(death.settings) { $1 })
        let relay = CurrentRelay(doomed)
        async let answered = AnsweredOutcomes.byPayers(8, ordersEach: 2, over: TestedGateway.allCases, at: relay)
        if death == .anywhere {
            // The sleep waits for nothing: any moment is good for the kill.
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...300)))
            doomed.program.signal(SIGKILL)
        }
        #expect(try await doomed.program.end() == -SIGKILL)
        relay.current = try await RunningRelay(after: doomed, gateways: TestedGateway.allCases, settings)
        return (relay.current, try await answered)
    }
}
