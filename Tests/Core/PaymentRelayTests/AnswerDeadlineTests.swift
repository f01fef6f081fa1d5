import ApplePayToken
import Foundation
import JournalContract
import Logging
import PayrelayPrimitives
import Synchronization
import Testing

@testable import PaymentRelay

/// A caller is answered by its deadline, and the payment continues.
@Suite struct AnswerDeadlineTests {
    private let journal = MemoryJournal()

    private func relay(_ gateway: any Gateway, journal: (any Journal)? = nil, answerAfter: Duration?)
        -> PaymentRelay
    {
        let moment = Date()
        return PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60), answerAfter: answerAfter),
            journal: journal ?? self.journal, gateways: .only(gateway),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { moment })
    }

    /// Lets every deadline pass.
    private func passDeadlines(of relay: PaymentRelay) {
        relay.deadlines.passWhatIsDue(at: .now + .seconds(100_000))
    }

    /// A gate at which a task waits until the test opens it.
    private actor Gate {
        private var isOpen = false
        private(set) var isReached = false
        private var waiters: [CheckedContinuation<Void, Never>] = []

        func pass() async {
            isReached = true
            if !isOpen { await withCheckedContinuation { waiters.append($0) } }
        }

        func open() {
            isOpen = true
            for waiter in waiters { waiter.resume() }
            waiters = []
        }
    }

    private func slowGateway(_ gate: Gate) -> ScriptedGateway {
        ScriptedGateway(onCharge: { _ in
            await gate.pass()
            return .answered(GatewayAnswer(.captured))
        })
    }

    @Test("R10: a payment without an outcome at the deadline is answered as uncertain, and continues")
    func answersUncertainAtTheDeadlineAndCarriesOn() async throws {
        let gate = Gate()
        let gateway = slowGateway(gate)
        let relay = relay(gateway, answerAfter: .seconds(86_400))
        let request = try SampleRequest.sample("A")
        let (ends, ending) = AsyncStream.makeStream(of: Void.self)
        let hasEnded = Atomic(false)
        async let paid = relay.pay(request) {
            hasEnded.store(true, ordering: .releasing)
            ending.finish()
        }
        while await !gate.isReached { try await Task.sleep(for: .milliseconds(1)) }
        passDeadlines(of: relay)
        let early = try await paid
        #expect(early.payment.state == .uncertain && !early.isReplay)
        #expect(
            String(decoding: try #require(early.payment.receipt), as: UTF8.self).contains(#""outcome":"uncertain""#))
        // The early answer is not stored: the payment is still on its way.
        #expect(await journal.payment("A")?.state == .processing)
        #expect(await journal.payment("A")?.receipt == nil)
        await #expect(throws: PaymentRefusal.inFlight) { try await relay.pay(request) }
        #expect(await !relay.drain(within: .milliseconds(20)))
        let endedEarly = hasEnded.load(ordering: .acquiring)
        #expect(!endedEarly)

        await gate.open()
        for await _ in ends {}
        #expect(await relay.drain(within: .seconds(86_400)))
        let replay = try await relay.pay(request)
        #expect(replay.isReplay && replay.payment.state == .captured)
        #expect(await journal.history(of: "A").map(\.state) == [.processing, .captured])
        #expect(await gateway.charges == ["A"])
    }

    @Test func answersAsUsualInTime() async throws {
        let relay = relay(ScriptedGateway(), answerAfter: .seconds(86_400))
        let (ends, ending) = AsyncStream.makeStream(of: Void.self)
        let result = try await relay.pay(.sample("A")) { ending.finish() }
        #expect(result.payment.state == .captured && !result.steps.taken.isEmpty)
        for await _ in ends {}
    }

    /// The gateway answers around the deadline, and the machine may be busy. Every answer to a client is true, and stays true.
    @Test func losesNothingWhicheverComesFirst() async throws {
        let gateway = ScriptedGateway(onCharge: { _ in
            try? await Task.sleep(for: .milliseconds(Int.random(in: 20...60)))
            return .answered(GatewayAnswer(.captured))
        })
        let relay = relay(gateway, answerAfter: .milliseconds(40))
        let requests = try (0..<200).map { try SampleRequest.sample("R\($0)", token: $0) }
        let heard = await withTaskGroup { group in
            for request in requests {
                group.addTask { () -> (String, PaymentState?) in
                    (request.reference, try? await relay.pay(request).payment.state)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(await relay.drain(within: .seconds(86_400)))
        let charges = await gateway.charges
        for (reference, state) in heard {
            let outcome = await journal.payment(reference)?.state
            // `nil` means that the client was answered that nothing was sent.
            #expect(state == .captured || state == .uncertain || state == nil)
            #expect(outcome == (state == nil ? .notSent : .captured))
            #expect(charges.count { $0 == reference } == (state == nil ? 0 : 1))
        }
    }

    /// A payment whose answer says "not sent" is not sent, however long the journal takes with the claim.
    @Test("S12: a payment that was not journaled by the deadline is not sent")
    func sendsNothingThatWasNotRecordedInTime()
        async throws
    {
        let gate = Gate()
        let gateway = ScriptedGateway()
        let slow = BrokenJournal(inner: journal, beforeClaim: { await gate.pass() })
        let relay = relay(gateway, journal: slow, answerAfter: .seconds(86_400))
        let request = try SampleRequest.sample("A")
        async let paid = relay.pay(request)
        while await !gate.isReached { try await Task.sleep(for: .milliseconds(1)) }
        passDeadlines(of: relay)
        do {
            Issue.record("\(try await paid.payment.state)")
        } catch {
            #expect("\(error)".hasPrefix("journalUnavailable"))
        }
        await gate.open()
        #expect(await relay.drain(within: .seconds(86_400)))
        #expect(await gateway.charges.isEmpty)
        #expect(await journal.payment("A")?.state == .notSent)
        // The same request may be made again.
        #expect(try await relay.pay(request).payment.state == .captured)
        #expect(await gateway.charges == ["A"])
    }

    @Test func decidesOnceBetweenTheEndAndTheDeadline() async {
        for _ in 0..<500 {
            let late = Atomic(0)
            let deadline = AnswerDeadline { _ in late.add(1, ordering: .relaxed) }
            async let isEndFirst = deadline.end()
            deadline.pass()
            let answers = (await isEndFirst ? 1 : 0) + late.load(ordering: .relaxed)
            #expect(answers == 1)
            deadline.pass()
            let again = (deadline.end() ? 1 : 0) + late.load(ordering: .relaxed)
            #expect(again <= 1)
        }
    }
}
