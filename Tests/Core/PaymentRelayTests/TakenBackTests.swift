import Foundation
import JournalContract
import PayrelayPrimitives
import Synchronization
import Testing

@testable import PaymentRelay

/// Answers that contradict a recorded outcome, or that leave something open after its time: each leads to a history entry, an
/// alert and a metric.
@Suite final class TakenBackTests: Sendable {
    private let journal = MemoryJournal()
    private let clock = Mutex(Date.wholeSecond)
    private let answers = Mutex<[Outcome<GatewayAnswer>]>([])
    private let seen = Mutex<[Contradiction]>([])

    /// - Parameter charge: The answer to the charge.
    private func relay(charge: Outcome<GatewayAnswer> = .answered(GatewayAnswer(.captured, reference: "1")))
        -> PaymentRelay
    {
        let gateway = ScriptedGateway(
            onCharge: { _ in charge },
            onQuery: { [self] _ in
                answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .unknown(reason: "silence") }
            })
        return PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent, now: { [self] in clock.withLock { $0 } },
            observe: { [self] in if case .contradicted(let kind) = $0 { seen.withLock { $0.append(kind) } } })
    }

    private func ask(_ relay: PaymentRelay, after time: Duration, _ answers: GatewayAnswer...) async throws {
        clock.withLock { $0 = $0 + time }
        self.answers.withLock { $0 = answers.map { .answered($0) } }
        _ = try await relay.sync("A")
    }

    private func entries() async -> [String] { await journal.history(of: "A").compactMap(\.reason) }

    @Test(
        "A success that is taken back is recorded once, alerts an operator, and changes nothing",
        arguments: [
            GatewayAnswer(.voided, reference: "1"), GatewayAnswer(.declined, totals: Balance(), reference: "1"),
            GatewayAnswer(.declined, reference: "1"), GatewayAnswer(.notFound),
            GatewayAnswer(.captured, authorized: 10_000, totals: Balance(captured: 9_000), reference: "1"),
            GatewayAnswer(.authorized, authorized: 10_000, totals: Balance(), reference: "1"),
            GatewayAnswer(.pending(reason: "x"), totals: Balance(), reference: "1"),
        ])
    func recordsWhatIsTakenBack(answer: GatewayAnswer) async throws {
        let relay = relay()
        _ = try await relay.pay(.sample("A"))
        try await ask(relay, after: .seconds(59), answer)
        #expect(await entries().isEmpty, "it may be older than the charge")
        for _ in 0..<5 { try await ask(relay, after: .seconds(60), answer) }
        #expect(await entries().count { $0.begins(with: "taken back: ") } == 1)
        #expect(seen.withLock { $0 } == [.takenBack])
        let payment = try #require(await journal.payment("A"))
        #expect(payment.state == .captured && payment.balance == Balance(captured: 10_000))
        let queries = try await relay.queriesWithoutChange(of: "A")
        #expect(queries.last?.answer == .contradictory && queries.last?.reason?.begins(with: "taken back: ") == true)
    }

    @Test("Two answers that differ take nothing back: one of them is old") func needsTwoEqualAnswers() async throws {
        let relay = relay()
        _ = try await relay.pay(.sample("A"))
        try await ask(relay, after: .seconds(600), GatewayAnswer(.voided), GatewayAnswer(.notFound))
        try await ask(relay, after: .seconds(600), GatewayAnswer(.voided), .paid(reference: "1"))
        #expect(await entries().isEmpty && seen.withLock { $0.isEmpty })
    }

    @Test("A gateway that contradicts itself anew each time does not grow the history for ever")
    func boundsTheContradictions() async throws {
        let relay = relay()
        _ = try await relay.pay(.sample("A"))
        for captured in 0..<40 {
            let less = Balance(captured: MinorUnits(100 + captured) ?? .zero)
            try await ask(relay, after: .seconds(600), GatewayAnswer(.captured, totals: less, reference: "1"))
        }
        #expect(await entries().count == Contradiction.notedAtMost)
    }

    @Test("An answer that agrees, or that shows nothing after a month, takes nothing back")
    func takesTheRestForAgreement() async throws {
        let relay = relay()
        _ = try await relay.pay(.sample("A"))
        for answer in [
            GatewayAnswer(.declined, totals: Balance(captured: 10_000), reference: "1"), .paid(reference: "1"),
            GatewayAnswer(.pending(reason: "x"), reference: "1"), GatewayAnswer(.duplicate),
            GatewayAnswer(.declined, totals: Balance(), reference: "another"),
        ] {
            try await ask(relay, after: .seconds(600), answer)
        }
        try await ask(relay, after: .seconds(31 * 86_400), GatewayAnswer(.notFound))
        #expect(await entries().isEmpty && seen.withLock { $0.isEmpty })
    }

    @Test(
        "A charge that the gateway never decides alerts an operator once, and the attention page says why"
    )
    func alertsToAnUndecidedCharge() async throws {
        let relay = relay(charge: .unknown(reason: "timeout"))
        _ = try await relay.pay(.sample("A"))
        let unsaid = GatewayAnswer(.captured, reference: "1")
        try await ask(relay, after: .seconds(1), unsaid)
        #expect(seen.withLock { $0.isEmpty })
        for _ in 0..<3 { try await ask(relay, after: .seconds(24 * 60), unsaid) }
        #expect(seen.withLock { $0 } == [.undecided])
        #expect(await entries().count { $0.begins(with: "undecided: ") } == 1)
        #expect(await journal.payment("A")?.state == .uncertain)
        #expect(try await relay.queriesWithoutChange(of: "A").last?.answer == .contradictory)
        try await ask(relay, after: .seconds(1), .paid(reference: "1"))
        #expect(await journal.payment("A")?.state == .captured)
    }

    @Test(
        "A refund that was reported as declined or not processed and shows in the totals later alerts an operator",
        arguments: [
            (Outcome<GatewayAnswer>.unknown(reason: "timeout"), PaymentOperation.State.notProcessed),
            (.answered(GatewayAnswer(.declined)), .declined),
        ])
    func alertsToARefundAfterAll(report: Outcome<GatewayAnswer>, told: PaymentOperation.State) async throws {
        let gateway = ScriptedGateway(
            onQuery: { [self] _ in answers.withLock { $0.first ?? .unknown(reason: "silence") } },
            onOperation: { _ in report })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent, now: { [self] in clock.withLock { $0 } },
            observe: { [self] in if case .contradicted(let kind) = $0 { seen.withLock { $0.append(kind) } } })
        _ = try await relay.pay(.sample("A"))
        _ = try await relay.perform(.sample(.refund, amount: 4_000))
        try await ask(relay, after: .seconds(3_601), .paid())
        #expect(await journal.payment("A")?.operations.map(\.state) == [told])
        try await ask(
            relay, after: .seconds(60),
            GatewayAnswer(.refunded, totals: Balance(captured: 10_000, refunded: 4_000)))
        #expect(await journal.payment("A")?.state == .partiallyRefunded)
        #expect(seen.withLock { $0 } == [.operationAfterAll])
    }
}
