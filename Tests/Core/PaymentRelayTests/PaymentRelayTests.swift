import ApplePayToken
import Foundation
import JournalContract
import Logging
import PayrelayPrimitives
import Synchronization
import TestPrograms
import Testing

@testable import PaymentRelay

@Suite struct PaymentRelayTests {
    let journal = MemoryJournal()

    private func relay(
        _ gateway: any Gateway, journal: (any Journal)? = nil, notFoundAfter: Duration = .seconds(60)
    ) -> PaymentRelay {
        // The clock stands still: on a machine that takes half a minute for a step, a claim's lease would expire otherwise.
        let moment = Date()
        return PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: notFoundAfter), journal: journal ?? self.journal,
            gateways: .only(gateway), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            now: { moment })
    }

    @Test func claimsChargesAndSettles() async throws {
        let gateway = ScriptedGateway()
        let result = try await relay(gateway).pay(.sample("A"))
        #expect(result.payment.state == .captured)
        #expect(await gateway.charges == ["A"])
        #expect(await journal.history(of: "A").map(\.state) == [.processing, .captured])
        #expect(result.steps.taken.map(\.step) == [.verify, .claim, .charge, .settle])
    }

    @Test("S12: the claim is durable before the charge is sent") func claimsBeforeTheGatewayIsAsked() async throws {
        let seen = Mutex<PaymentState?>(nil)
        let gateway = ScriptedGateway(onCharge: { [journal] order in
            let state = await journal.payment(order.merchantReference)?.state
            seen.withLock { $0 = state }
            return .answered(GatewayAnswer(.captured))
        })
        _ = try await relay(gateway).pay(.sample("A"))
        #expect(seen.withLock { $0 } == .processing)
    }

    @Test(
        "R3: a replay is byte-identical and charges nothing",
        arguments: [GatewayAnswer.Meaning.captured, .declined, .pending(reason: "on hold")])
    func replaysTheSameBytesAndChargesNothing(meaning: GatewayAnswer.Meaning) async throws {
        let gateway = ScriptedGateway(onCharge: { _ in .answered(GatewayAnswer(meaning)) })
        let relay = relay(gateway)
        let first = try await relay.pay(.sample("A"))
        let again = try await relay.pay(.sample("A"))
        #expect(!first.isReplay && again.isReplay)
        #expect(first.payment.receipt == again.payment.receipt)
        #expect(await gateway.charges.count == 1)
    }

    @Test("R1: a request whose payment is archived is answered with its outcome, and charges and refunds nothing")
    func answersForAnArchivedPayment() async throws {
        let gateway = ScriptedGateway()
        let relay = relay(gateway)
        let paid = try await relay.pay(.sample("A")).payment
        var archived = try #require(try await relay.payment("A"))
        let before = archived
        archived.archivedVersion = archived.version
        archived.receipt = nil
        archived.version += 1
        let entry = HistoryEntry(at: archived.claimedAt, state: archived.state, balance: archived.balance)
        _ = try await journal.compareAndSet(before, to: archived, because: entry)

        let again = try await relay.pay(.sample("A"))
        #expect(again.isReplay)
        let answer = try #require(try JSON(parsing: again.payment.receipt ?? []).objectValue)
        #expect(answer["outcome"] == .string(paid.state.rawValue) && answer["merchant_reference"] == "A")
        let month = ArchiveMonth(of: paid.claimedAt)
        #expect(answer["reason"] == .string("archived in \(month): the first answer is in that file"))
        await #expect(throws: PaymentRefusal.referenceTaken(differing: [])) {
            try await relay.pay(.sample("A", body: "x"))
        }
        for command in OperationCommand.allCases {
            let request = OperationRequest(merchantReference: "A", command: command, identifier: "r")
            let refusal = await #expect(throws: OperationRefusal.self) { try await relay.perform(request) }
            guard case .notAllowed(let reason) = refusal else { continue }
            #expect(reason.contains("archived in \(month)"))
        }
        #expect(await gateway.charges.count == 1)
        #expect(await gateway.operations.isEmpty)
    }

    /// The charge ends only after the other 999 requests were refused, so all of them were under way at once.
    @Test("R1: a thousand identical requests at once make one charge")
    func chargesAThousandIdenticalRequestsOnce() async throws {
        let (others, refused) = AsyncStream.makeStream(of: Void.self)
        let gateway = ScriptedGateway(onCharge: { _ in
            for await _ in others.prefix(999) {}
            return .answered(GatewayAnswer(.captured))
        })
        let relay = relay(gateway)
        let request = try SampleRequest.sample("A").request(preparedBy: .only(gateway))
        let refusals = await withTaskGroup { group in
            for _ in 0..<1_000 {
                group.addTask { () -> PaymentRefusal? in
                    do throws(PaymentRefusal) {
                        _ = try await relay.pay(request)
                        return nil
                    } catch {
                        refused.yield()
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.compactMap { $0 }
        }
        #expect(await gateway.charges.count == 1)
        #expect(refusals.count == 999 && refusals.allSatisfy { $0 == .inFlight })
    }

    @Test("R2: another body under the same reference is refused and not sent")
    func refusesAnotherBodyUnderTheSameReference() async throws {
        let gateway = ScriptedGateway()
        let relay = relay(gateway)
        _ = try await relay.pay(.sample("A", body: "one"))
        await #expect(throws: PaymentRefusal.referenceTaken(differing: [])) {
            try await relay.pay(.sample("A", body: "two"))
        }
        #expect(await gateway.charges.count == 1)
    }

    @Test("R13: the same token under another reference is refused and not sent")
    func refusesTheSameTokenUnderAnotherReference() async throws {
        let gateway = ScriptedGateway()
        let relay = relay(gateway)
        _ = try await relay.pay(.sample("A", token: 1))
        await #expect(throws: PaymentRefusal.tokenTaken) { try await relay.pay(.sample("B", token: 1)) }
        #expect(await gateway.charges == ["A"])
    }

    @Test("R4: a repeated request charges a payment that was not sent") func retriesWhatWasNotSent() async throws {
        let isReachable = Mutex(false)
        let gateway = ScriptedGateway(onCharge: { _ in
            isReachable.withLock { $0 } ? .answered(GatewayAnswer(.captured)) : .notSent(reason: "refused")
        })
        let relay = relay(gateway)
        await #expect(throws: PaymentRefusal.notSent(reason: "refused")) { try await relay.pay(.sample("A")) }
        isReachable.withLock { $0 = true }
        #expect(try await relay.pay(.sample("A")).payment.state == .captured)
        #expect(await journal.history(of: "A").map(\.state) == [.processing, .notSent, .processing, .captured])
    }

    @Test("R6: a client that disconnects does not cancel the charge")
    func carriesThroughWhenTheClientDisconnects() async throws {
        let gateway = ScriptedGateway(onCharge: { _ in
            do {
                try await Task.sleep(for: .milliseconds(50))
                return .answered(GatewayAnswer(.captured))
            } catch {
                return .unknown(reason: "cancelled")
            }
        })
        let relay = relay(gateway)
        let request = try SampleRequest.sample("A")
        let caller = Task { try await relay.pay(request) }
        while await gateway.charges.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        caller.cancel()
        _ = try? await caller.value
        #expect(await relay.drain(within: .seconds(86_400)))
        #expect(await journal.payment("A")?.state == .captured)
    }

    @Test("R10: an unanswered charge is uncertain until a query settles it")
    func keepsAnUnansweredChargeUncertainUntilAQuerySettlesIt() async throws {
        let gateway = ScriptedGateway(onCharge: { _ in .unknown(reason: "timeout") })
        let relay = relay(gateway)
        let result = try await relay.pay(.sample("A"))
        #expect(result.payment.state == .uncertain)
        #expect(try await relay.sync("A")?.state == .captured)
        let again = try await relay.pay(.sample("A"))
        #expect(again.isReplay && again.payment.state == .captured)
        #expect(await gateway.charges.count == 1)
    }

    @Test func queriesNoChargeThatIsUnderWay() async throws {
        let gate = Gate()
        let gateway = ScriptedGateway(onCharge: { _ in
            await gate.wait()
            return .answered(GatewayAnswer(.captured))
        })
        let relay = relay(gateway)
        let request = try SampleRequest.sample("A")
        async let paid = relay.pay(request)
        while await gateway.charges.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        #expect(try await relay.sync("A")?.state == .processing)
        gate.open()
        #expect(try await paid.payment.state == .captured)
        #expect(await gateway.queries.isEmpty)
    }

    @Test("R5: payments that an earlier process left open are taken over") func takesOverWhatAnEarlierProcessLeftOpen()
        async throws
    {
        let request = try SampleRequest.sample("A")
        _ = await journal.claim(Change.sample(request))
        let gateway = ScriptedGateway()
        #expect(try await relay(gateway).sync("A")?.state == .captured)
        #expect(await journal.history(of: "A").map(\.state) == [.processing, .uncertain, .captured])
        #expect(await gateway.charges.isEmpty)
    }

    @Test("R5: an outcome whose claim the journal has lost, as in a failover, is recorded anew, and the repeat gets it")
    func recordsAnewWhatTheJournalHasLost() async throws {
        let gateway = ScriptedGateway(onCharge: { [journal] _ in
            await journal.lose(claimedSince: .distantPast)
            return .answered(GatewayAnswer(.captured))
        })
        let relay = relay(gateway)
        #expect(try await relay.pay(.sample("A")).payment.state == .captured)
        #expect(await journal.payment("A")?.state == .captured)
        let again = try await relay.pay(.sample("A"))
        #expect(again.isReplay && again.payment.state == .captured)
        #expect(await journal.history(of: "A").map(\.state) == [.captured])
        #expect(await gateway.charges.count == 1)
    }

    @Test("S12: a payment that cannot be journaled is not charged") func chargesNothingThatCannotBeClaimed()
        async throws
    {
        let gateway = ScriptedGateway()
        let relay = relay(gateway, journal: BrokenJournal(inner: journal, breaksClaims: true))
        await #expect(throws: PaymentRefusal.self) { try await relay.pay(.sample("A")) }
        #expect(await gateway.charges.isEmpty)
    }

    @Test("S12: an outcome that cannot be journaled is answered as uncertain and queried later")
    func answersUncertainWhenTheOutcomeCannotBeRecorded() async throws {
        let gateway = ScriptedGateway()
        let broken = BrokenJournal(inner: journal, breaksOutcomes: true)
        let result = try await relay(gateway, journal: broken).pay(.sample("A"))
        #expect(result.payment.state == .uncertain)
        #expect(await journal.payment("A")?.state == .processing)
        #expect(try await relay(gateway).sync("A")?.state == .captured)
        #expect(await gateway.charges.count == 1)
    }

    @Test("R17: an outcome is recorded although an operator took the payment and wrote a note meanwhile")
    func recordsTheOutcomeOfAPaymentThatAnOperatorTook() async throws {
        let taken = Taken(by: "sara", at: .wholeSecond)
        let gateway = ScriptedGateway(onCharge: { [journal] _ in
            guard let claimed = await journal.payment("A") else { return .notSent(reason: "it is not claimed") }
            var assigned = claimed
            assigned.taken = taken
            let origin = Origin(.operator("sara"), request: nil)
            let assignment = Change(
                before: claimed, after: assigned, kind: .assignment, origin: origin, at: .wholeSecond)
            let note = Change(
                before: assignment.after, after: assigned, kind: .note, origin: origin, note: "n", at: .wholeSecond)
            for change in [assignment, note] { #expect(await journal.commit(change) == .written) }
            return .answered(GatewayAnswer(.captured))
        })
        let result = try await relay(gateway).pay(.sample("A"))
        #expect(result.payment.state == .captured)
        let recorded = try #require(await journal.payment("A"))
        #expect(recorded.state == .captured && recorded.taken == taken && recorded.version == 4)
        #expect(await journal.history(of: "A").map(\.kind) == [.claim, .assignment, .note, .charge])
    }

    @Test("S12: if the journal does not take the gateway's answer, no client gets it, and none gets the earlier state")
    func tellsNothingWhereAnAnswerCannotBeRecorded() async throws {
        let gateway = ScriptedGateway(onCharge: { _ in .answered(GatewayAnswer(.declined)) })
        #expect(try await relay(gateway).pay(.sample("A")).payment.state == .declined)
        let broken = relay(gateway, journal: BrokenJournal(inner: journal, breaksLaterChanges: true))
        await #expect(
            throws: JournalError.unavailable(reason: "the answer of the gateway was not recorded")
        ) { try await broken.sync("A") }
        #expect(try await relay(gateway).sync("A")?.state == .captured)
    }
}

extension Change {
    static func sample(_ request: SampleRequest, at moment: Date = Date()) -> Change {
        let order = Order.sample(request.reference)
        return Change(
            claiming: Payment(
                merchantReference: order.merchantReference, command: order.command, amount: order.amount,
                currency: order.currency, fingerprint: request.fingerprint,
                appleTransactionIdentifier: request.token.header.transactionId.text, claimedAt: moment,
                gateway: "fort",
                account: order.account),
            token: request.token.digest, idempotencyKey: request.key,
            at: moment, request: "request-\(request.reference)")
    }
}
