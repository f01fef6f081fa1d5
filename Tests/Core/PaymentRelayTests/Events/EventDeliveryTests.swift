import Foundation
import JournalContract
import Logging
import PayrelayPrimitives
import Synchronization
import Testing

@testable import PaymentRelay

/// An event is delivered at least once, in order for each payment, until it is acknowledged or has had enough attempts.
@Suite struct EventDeliveryTests {
    private let journal = MemoryJournal()
    private let clock = Clock()

    @Test func sendsTheSameBytesUntilTheyAreAcknowledged() async throws {
        let receiver = ScriptedReceiver { number in
            [.refused(reason: "503"), .unanswered(reason: "timeout"), .acknowledged][min(number, 2)]
        }
        let delivery = delivery(to: receiver)
        try await record("A", "first")
        var sent: [Int] = []
        for _ in 0..<5 {
            await delivery.workOff()
            sent.append(receiver.events.count)
            clock.advance(.seconds(1))
        }
        // The second attempt follows one second after the first, and the third follows two seconds after the second.
        #expect(sent == [1, 2, 2, 3, 3])
        #expect(Set(receiver.events.map(\.body)).count == 1)
        #expect(delivery.attempts == EventDelivery.Attempts(acknowledged: 1, refused: 1, unanswered: 1))
        #expect(await journal.eventSummary() == EventSummary())
    }

    @Test func keepsThePaymentsEventsInOrder() async throws {
        let receiver = ScriptedReceiver { number in number == 0 ? .refused(reason: "503") : .acknowledged }
        let delivery = delivery(to: receiver)
        try await record("A", "first")
        try await record("A", "second")
        await delivery.workOff()
        try await record("B", "first")
        await delivery.workOff()
        clock.advance(.seconds(1))
        await delivery.workOff()
        #expect(receiver.events.compactMap { $0.json?["text"]?.stringValue } == ["first", "first", "first", "second"])
        #expect(
            receiver.events.map { $0.identifier.hasPrefix("evt_559aead08264d5795d3909718cdd05ab_") }
                == [true, false, true, true])
    }

    @Test func deadLettersAnEventThatIsRefusedForThreeDays() async throws {
        let receiver = ScriptedReceiver { _ in .refused(reason: "410") }
        let delivery = delivery(to: receiver)
        try await record("A", "first")
        let start = clock.now
        while case let summary = await journal.eventSummary(), summary.deadLettered == 0 {
            try #require(receiver.events.count <= EventDelivery.attemptsAtMost)
            await delivery.workOff()
            clock.advance(.seconds(60))
        }
        let days = clock.now.timeIntervalSince(start) / 86_400
        #expect(receiver.events.count == EventDelivery.attemptsAtMost)
        #expect(days > 2.9 && days < 3.1)
        clock.advance(.seconds(1_000_000))
        await delivery.workOff()
        #expect(receiver.events.count == EventDelivery.attemptsAtMost)
        #expect(try await journal.resendDeadLetteredEvents(at: clock.now) == 1)
        await delivery.workOff()
        #expect(receiver.events.count == EventDelivery.attemptsAtMost + 1)
    }

    @Test func sendsWhatAnInstanceThatDiedHadUnderWay() async throws {
        try await record("A", "first")
        _ = await journal.lease(DueEvent.self, of: nil, limit: 1, at: clock.now, until: clock.now + 30)
        let receiver = ScriptedReceiver()
        let delivery = delivery(to: receiver)
        await delivery.workOff()
        #expect(receiver.events.isEmpty)
        clock.advance(.seconds(30))
        await delivery.workOff()
        #expect(receiver.events.count == 1)
    }

    @Test func sendsNothingWhenASlowJournalLeftTooLittleOfTheLease() async throws {
        try await record("A", "first")
        let receiver = ScriptedReceiver()
        let slow = FaultyJournal(
            inner: journal,
            onLeaseEvents: { [clock] leased in
                clock.advance(.seconds(16))
                return leased
            })
        await delivery(to: receiver, from: slow).workOff()
        #expect(receiver.events.isEmpty)
        clock.advance(.seconds(14))
        await delivery(to: receiver).workOff()
        #expect(receiver.events.count == 1)
    }

    @Test("R6: a stop ends the deliveries under way") func endsTheDeliveriesUnderWayOnStop() async throws {
        for number in 0..<3 { try await record("\(number)", "first") }
        let (answers, answer) = AsyncStream<Void>.makeStream()
        let receiver = ScriptedReceiver { number in
            if number == 0 { for await _ in answers {} }
            return .acknowledged
        }
        let delivery = delivery(to: receiver)
        let running = Task { await delivery.run() }
        while receiver.events.count < 3 { await Task.yield() }
        running.cancel()
        answer.finish()
        await running.value
        #expect(await journal.eventSummary() == EventSummary())
    }

    /// There are more events than may be under way at once: the others can go out only while the receiver hangs on the first.
    @Test("R15: a receiver that hangs delays no other payment's events", .timeLimit(.minutes(25)))
    func delaysNoOtherPaymentsWhenAReceiverHangs() async throws {
        for number in 0..<80 { try await record("\(number)", "first") }
        let (answers, answer) = AsyncStream<Void>.makeStream()
        let receiver = ScriptedReceiver { number in
            if number == 0 { for await _ in answers {} }
            return .acknowledged
        }
        let delivery = delivery(to: receiver)
        let working = Task { await delivery.workOff() }
        while case let summary = await journal.eventSummary(), summary.undelivered > 1 { await Task.yield() }
        #expect(receiver.events.count == 80)
        answer.finish()
        await working.value
        #expect(await journal.eventSummary() == EventSummary())
    }

    @Test(arguments: [[0xFF], Array("{}".utf8), Array(#"{"type":"x"}"#.utf8), Self.event(of: "B", "other")])
    func deadLettersAnUnreadableEventAndNothingElse(event: [UInt8]) async throws {
        _ = await journal.claim(.sample("A", token: 1))
        let garbled = HistoryEntry(at: clock.now, state: .captured, event: event)
        #expect(try await journal.transition("A", from: .processing, receipt: nil, because: garbled))
        try await record("B", "first")
        let receiver = ScriptedReceiver()
        await delivery(to: receiver).workOff()
        #expect(receiver.events.count == 1)
        #expect(await journal.eventSummary().deadLettered == 1)
    }

    @Test func resendsEveryPaymentSinceAMoment() async throws {
        for number in 0..<1_001 { try await record("\(number)", "first") }
        let receiver = ScriptedReceiver()
        await delivery(to: receiver).workOff()
        #expect(receiver.events.count == 1_001)
        #expect(try await journal.resendEvents(since: clock.now, at: clock.now) == 1_001)
        #expect(try await journal.resendEvents(since: clock.now + 1, at: clock.now) == 0)
        await delivery(to: receiver).workOff()
        #expect(receiver.events.count == 2_002)
    }

    @Test func doublesPausesUpToAnHour() {
        let longest: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 3_600, 3_600]
        for (number, seconds) in zip(1..., longest) {
            let pause = ExponentialBackoff(longest: EventDelivery.longestPause).pause(afterAttempt: number)
            #expect(pause <= .seconds(seconds) && pause >= .seconds(seconds * 0.75))
        }
    }

    private static func event(of reference: String, _ text: String) -> [UInt8] {
        Array(#"{"type":"payment.captured","merchant_reference":"\#(reference)","text":"\#(text)"}"#.utf8)
    }

    private func record(_ reference: String, _ text: String) async throws {
        if await journal.payment(reference) == nil {
            let token = Int.random(in: 0..<Int.max)
            #expect(await journal.claim(.sample(reference, token: token, at: clock.now)) == .written)
            #expect(
                try await journal.transition(
                    reference, from: .processing, receipt: nil,
                    because: HistoryEntry(at: clock.now, state: .captured)))
        }
        let payment = try #require(await journal.payment(reference))
        let entry = HistoryEntry(at: clock.now, state: .captured, event: Self.event(of: reference, text))
        #expect(try await journal.compareAndSet(payment, to: payment, because: entry))
    }

    private func delivery(to receiver: ScriptedReceiver, from other: (any Journal)? = nil) -> EventDelivery {
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: other ?? journal,
            gateways: .only(ScriptedGateway()), logger: .silent, now: { [clock] in clock.now })
        return EventDelivery(
            relay: relay, receiver: receiver, logger: .silent,
            backoff: ExponentialBackoff(longest: EventDelivery.longestPause, jitter: { 1 }))
    }

    private final class Clock: Sendable {
        private let moment = Mutex(Date.wholeSecond)

        var now: Date { moment.withLock { $0 } }

        func advance(_ duration: Duration) {
            moment.withLock { $0 = $0 + duration }
        }
    }
}
