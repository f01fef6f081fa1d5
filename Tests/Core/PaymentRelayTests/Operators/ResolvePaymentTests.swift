import Foundation
import JournalContract
import Logging
import PayrelayPrimitives
import Synchronization
import Testing

@testable import PaymentRelay

/// An operator records by hand an outcome that the gateway leaves open.
@Suite final class ResolvePaymentTests: Sendable {
    private let journal = MemoryJournal()
    private let clock = Mutex(Date.wholeSecond)
    private let contradictions = Mutex<[Contradiction]>([])

    private static let patience = NotFoundPatience(charge: .seconds(60), operation: .seconds(3_600))

    private func relay(
        _ gateway: ScriptedGateway = ScriptedGateway(), journal: (any Journal)? = nil
    ) -> PaymentRelay {
        PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60), recordsEvents: true),
            journal: journal ?? self.journal,
            gateways: .only(gateway), logger: .silent, now: { [self] in clock.withLock { $0 } },
            observe: { [self] event in
                if case .contradicted(let kind) = event { contradictions.withLock { $0.append(kind) } }
            })
    }

    private func wait(_ seconds: Double) { clock.withLock { $0 += seconds } }

    private func by(_ name: String = "sara", _ actions: Set<OperatorAction> = [.resolvePayment]) -> OperatorRequest {
        OperatorRequest(operatorName: name, identifier: "request-of-\(name)", permitted: actions)
    }

    private func statement(
        _ resolution: Resolution, _ amount: MinorUnits = 10_000, again: MinorUnits? = nil,
        because reason: String = "APS said so, ticket 4711", of reference: String = "A", by: OperatorRequest? = nil,
        seen version: Int? = nil
    ) throws -> ResolutionRequest {
        ResolutionRequest(
            merchantReference: reference, resolution: resolution, amount: amount, confirmation: again ?? amount,
            reason: try OperatorNote(reason), by: by ?? self.by(), basis: version)
    }

    /// Returns a payment whose charge is uncertain and whose waiting time is over.
    private func uncertainPayment(_ query: GatewayAnswer = GatewayAnswer(.pending(reason: "on hold"))) async throws
        -> PaymentRelay
    {
        let relay = relay(
            ScriptedGateway(
                onCharge: { _ in .unknown(reason: "timeout") }, onQuery: { _ in .answered(query) }))
        _ = try await relay.pay(.sample("A"))
        wait(60)
        return relay
    }

    /// Returns a captured payment with an open refund of 4,000 whose waiting time is over.
    private func openRefund(
        _ report: Outcome<GatewayAnswer> = .unknown(reason: "timeout"),
        _ query: GatewayAnswer = GatewayAnswer(.pending(reason: "on hold"))
    ) async throws -> PaymentRelay {
        let relay = relay(
            ScriptedGateway(onQuery: { _ in .answered(query) }, onOperation: { _ in report }))
        _ = try await relay.pay(.sample("A"))
        _ = try await relay.perform(.sample(.refund, amount: 4_000))
        wait(3_600)
        return relay
    }

    // MARK: What it does

    @Test("a charge that is settled by hand has the outcome, the history names the operator, and the event says so")
    func settlesACharge() async throws {
        let relay = try await uncertainPayment()
        let payment = try await relay.resolve(statement(.captured))
        #expect(payment.state == .captured && payment.balance == Balance(captured: 10_000))
        #expect(await journal.payment("A") == payment)
        let history = await journal.history(of: "A")
        let entry = try #require(history.last)
        #expect(entry.state == .captured && entry.source == .operator("sara") && entry.reason == "settled by hand")
        #expect(entry.operatorName == "sara" && entry.note == "APS said so, ticket 4711")
        #expect(payment.resolution(in: history)?.number == entry.number)
        let event = try JSON(parsing: #require(entry.event))
        #expect(event["type"] == "payment.captured" && event["source"] == "operator")
        #expect(event["given_reason"] == "APS said so, ticket 4711")
        #expect(event["payment"]?["captured_amount"] == 10_000)
        let receipt = try JSON(parsing: #require(payment.receipt))
        #expect(receipt["outcome"] == "captured" && receipt["reason"] == nil && receipt["processor_response"] == nil)
        #expect(receipt["resolved_by_hand_at"] == .string(entry.at.rfc3339InMilliseconds))
        #expect(!String(decoding: payment.receipt ?? [], as: UTF8.self).contains("sara"))
        #expect(!String(decoding: entry.event ?? [], as: UTF8.self).contains("sara"))
        var query = ChangeQuery()
        query.operators = .named("sara")
        #expect(try await relay.changes(query).changes.map(\.merchantReference) == ["A"])
        #expect(
            try await relay.settlement(from: .distantPast, until: .distantFuture).totals.first?.charged.amount == 10_000
        )
    }

    @Test(
        "a charge comes to each outcome that its command permits, and to no other",
        arguments: [Order.Command.purchase, .authorization], Resolution.allCases)
    func permitsTheCommandsOutcomes(command: Order.Command, resolution: Resolution) throws {
        let permitted: [Resolution: PaymentState] =
            command == .purchase
            ? [.captured: .captured, .declined: .declined, .notProcessed: .notProcessed]
            : [
                .captured: .captured, .authorized: .authorized, .declined: .declined, .voided: .voided,
                .notProcessed: .notProcessed,
            ]
        let payment = Self.payment(.uncertain, command)
        do throws(ResolutionRefusal) {
            let change = try Self.resolve(payment, resolution, 10_000)
            #expect(change.after.state == permitted[resolution])
            #expect(change.after.version == payment.version + 1 && change.after.holdsCustomerData)
        } catch {
            #expect(permitted[resolution] == nil)
            #expect(error == .notPossible(resolution, possible: payment.possibleResolutions))
        }
    }

    @Test("an authorization may be captured in part; every other statement is about the whole amount")
    func partialCaptures() throws {
        let authorization = Self.payment(.uncertain, .authorization)
        let part = try Self.resolve(authorization, .captured, 4_000).after
        #expect(part.state == .partiallyCaptured && part.balance == Balance(captured: 4_000))
        #expect(throws: ResolutionRefusal.tooLargeAmount(limit: "100.00 AED")) {
            try Self.resolve(authorization, .captured, 10_001)
        }
        for resolution in [Resolution.authorized, .declined, .voided, .notProcessed] {
            for amount: MinorUnits in [1, 9_999, 10_001, 9_999_999_999] {
                #expect(throws: ResolutionRefusal.otherAmount(expected: "100.00 AED")) {
                    try Self.resolve(authorization, resolution, amount)
                }
            }
        }
        for amount: MinorUnits in [4_000, 10_001] {
            #expect(throws: ResolutionRefusal.otherAmount(expected: "100.00 AED")) {
                try Self.resolve(Self.payment(.uncertain, .purchase), .captured, amount)
            }
        }
        #expect(throws: ResolutionRefusal.noAmount) { try Self.resolve(authorization, .captured, 0) }
    }

    @Test("an open refund that is settled by hand is done, declined or not processed, with its own amount only")
    func settlesAnOperation() async throws {
        for (resolution, state, refunded) in [
            (Resolution.done, PaymentOperation.State.done, 4_000 as MinorUnits), (.declined, .declined, 0),
            (.notProcessed, .notProcessed, 0),
        ] {
            let test = ResolvePaymentTests()
            let relay = try await test.openRefund()
            let refusal = ResolutionRefusal.otherAmount(expected: "40.00 AED")
            for amount: MinorUnits in [3_999, 4_001, 10_000] {
                await #expect(throws: refusal) { try await relay.resolve(test.statement(resolution, amount)) }
            }
            let payment = try await relay.resolve(test.statement(resolution, 4_000))
            #expect(payment.operations.last?.state == state && !payment.isOpen)
            #expect(payment.balance == Balance(captured: 10_000, refunded: refunded))
            #expect(payment.state == (refunded == .zero ? .captured : .partiallyRefunded))
            let history = await test.journal.history(of: "A")
            #expect(history.last?.reason == "Refund of 40.00 AED: \(state.rawValue), settled by hand")
            #expect(payment.operations.last?.resolution(in: history)?.operatorName == "sara")
            #expect(payment.resolution(in: history) == nil)
            let event = try JSON(parsing: #require(history.last?.event))
            #expect(
                event["type"] == .string(state == .done ? "payment.partially_refunded" : "refund.\(state.rawValue)"))
            #expect(event["source"] == "operator" && event["operation"]?["outcome"] == .string(state.rawValue))
            // The next operation may begin.
            #expect(try relay.permits(.refund, on: payment) == (refunded == .zero ? 10_000 : 6_000))
        }
    }

    @Test("a void that is recorded by hand as done leaves nothing to capture, and a capture has the stated amount")
    func settlesVoidsAndCaptures() throws {
        var held = Self.payment(.authorized, .authorization)
        held.operations = [.sample(.voidAuthorization, 10_000, .uncertain)]
        #expect(try Self.resolve(held, .done, 10_000).after.state == .voided)
        held.operations = [.sample(.capture, 4_000, .pending)]
        let captured = try Self.resolve(held, .done, 4_000).after
        #expect(captured.state == .partiallyCaptured && captured.balance == Balance(captured: 4_000))
        for resolution in [Resolution.captured, .authorized, .voided] {
            #expect(throws: ResolutionRefusal.notPossible(resolution, possible: [.done, .declined, .notProcessed])) {
                try Self.resolve(held, resolution, 4_000)
            }
        }
    }

    // MARK: Refusals

    @Test("a role without the permission, two amounts, no amount and no payment are refused, and nothing is written")
    func refusals() async throws {
        let relay = try await uncertainPayment()
        let before = await journal.history(of: "A")
        let everythingElse = Set(OperatorAction.allCases).subtracting([.resolvePayment])
        let statements: [(ResolutionRequest, ResolutionRefusal)] = [
            (try statement(.captured, by: by("omar", everythingElse)), .notPermitted),
            (try statement(.captured, 10_000, again: 1_000), .amountsDiffer),
            (try statement(.captured, 0), .noAmount),
            (try statement(.captured, of: "none"), .noSuchPayment),
            (try statement(.captured, 9_999_999_999), .otherAmount(expected: "100.00 AED")),
            (try statement(.done), .notPossible(.done, possible: [.captured, .declined, .notProcessed])),
            (try statement(.captured, seen: 1), .changedSince),
        ]
        for (statement, refusal) in statements {
            await #expect(throws: refusal) { try await relay.resolve(statement) }
        }
        #expect(await journal.history(of: "A") == before)
    }

    @Test("what has not been open for as long as \"not found\" leaves it open is refused, with the time of the end")
    func refusesWhatMayEndByItself() async throws {
        let relay = try await uncertainPayment()
        let known = try #require(await journal.payment("A"))
        #expect(try await relay.obstacle(toResolving: known) == nil)
        wait(-1)
        let early = ResolutionRefusal.tooEarly(until: .wholeSecond + 60)
        #expect(try await relay.obstacle(toResolving: known) == early)
        await #expect(throws: early) { try await relay.resolve(statement(.captured)) }
        wait(1)
        #expect(try await relay.resolve(statement(.captured)).state == .captured)
    }

    @Test("a charge that has the gateway's number, or is on hold, is left to the gateway 24 times as long")
    func waitsLonger()
        async throws
    {
        let relay = try await uncertainPayment(GatewayAnswer(.pending(reason: "on hold"), reference: "1"))
        _ = try await relay.sync("A")
        #expect(await journal.payment("A")?.gatewayReference == "1")
        let early = ResolutionRefusal.tooEarly(until: .wholeSecond + 60 * 24)
        await #expect(throws: early) { try await relay.resolve(statement(.captured)) }
        wait(60 * 23)
        let settled = try await relay.resolve(statement(.captured))
        #expect(settled.state == .captured && settled.gatewayReference == "1")

        let test = ResolvePaymentTests()
        let other = try await test.openRefund(.answered(GatewayAnswer(.pending(reason: "on hold"))))
        #expect(await test.journal.payment("A")?.openOperation?.state == .pending)
        await #expect(throws: ResolutionRefusal.tooEarly(until: .wholeSecond + 3_600 * 24)) {
            try await other.resolve(test.statement(.done, 4_000))
        }
    }

    @Test("nothing is settled while a request is on its way, and afterwards it counts from the end of its lease")
    func waitsForARequest() async throws {
        let moment = Date.wholeSecond
        let claim = Change.sample("A", token: 1, at: moment, leasedFor: .seconds(30))
        #expect(await journal.claim(claim) == .written)
        let relay = relay()
        let amount: MinorUnits = 9_999_999_999
        await #expect(throws: ResolutionRefusal.requestUnderWay) {
            try await relay.resolve(statement(.captured, amount))
        }
        wait(30)
        await #expect(throws: ResolutionRefusal.tooEarly(until: moment + 90)) {
            try await relay.resolve(statement(.captured, amount))
        }
        wait(60)
        #expect(try await relay.resolve(statement(.captured, amount)).state == .captured)
    }

    @Test(
        "an outcome that was recorded is not recorded by hand again, whatever is stated", arguments: Resolution.allCases
    )
    func settlesOnce(resolution: Resolution) async throws {
        let relay = try await uncertainPayment()
        let settled = try await relay.resolve(statement(.declined))
        await #expect(throws: ResolutionRefusal.notOpen(.declined)) {
            try await relay.resolve(statement(resolution, by: by("omar")))
        }
        #expect(await journal.payment("A") == settled)
    }

    @Test("of many operators at once, one settles a payment") func settlesOnceAmongMany() async throws {
        let relay = try await uncertainPayment()
        let results = await withTaskGroup { group in
            for number in 0..<20 {
                group.addTask { [self] in
                    (try? await relay.resolve(
                        statement(number % 2 == 0 ? .captured : .declined, by: by("o\(number)")))) != nil
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count { $0 } == 1)
        #expect(await journal.history(of: "A").count { $0.reason == "settled by hand" } == 1)
    }

    @Test("a journal that fails is a refusal with its reason, and nothing is settled") func journalFails() async throws
    {
        _ = try await uncertainPayment()
        let broken = relay(journal: BrokenJournal(inner: journal, breaksOutcomes: true))
        await #expect {
            try await broken.resolve(statement(.captured))
        } throws: { error in
            if case .journal = error as? ResolutionRefusal { true } else { false }
        }
        #expect(await journal.payment("A")?.state == .uncertain)
    }

    @Test("a reason is bounded text without control characters and without marks that turn the text's direction")
    func reasons() async throws {
        let relay = try await uncertainPayment()
        for empty in ["", " \n", "\0\u{7}", "\u{202E}\u{2066}"] {
            #expect(throws: OperatorNoteError.empty) { try statement(.captured, because: empty) }
        }
        #expect(throws: OperatorNoteError.tooLong) {
            try statement(.captured, because: String(repeating: "x", count: 100_000))
        }
        _ = try await relay.resolve(statement(.captured, because: "\0APS\u{7} \u{202E}said\u{202C} <b>so</b>"))
        #expect(await journal.history(of: "A").last?.note == "APS said <b>so</b>")
    }

    // MARK: Afterwards

    @Test("a verified charge after a decline by hand is recorded, and operators are alerted")
    func laterAnswers() async throws {
        for resolution in [Resolution.declined, .notProcessed] {
            let test = ResolvePaymentTests()
            let relay = try await test.uncertainPayment(.paid(reference: "1"))
            _ = try await relay.resolve(test.statement(resolution))
            let after = try #require(try await relay.sync("A"))
            #expect(after.state == .captured && after.balance == Balance(captured: 10_000))
            #expect(test.contradictions.withLock { $0 } == [.chargedAfterAll])
            let history = await test.journal.history(of: "A")
            #expect(after.resolution(in: history) == nil && after.summary[ResolvedByHand.member] == nil)
            #expect(history.contains { $0.reason == "settled by hand" && $0.source == .operator("sara") })
        }
    }

    @Test("a verified answer that shows a refund which was settled by hand as not processed is recorded")
    func laterTotals() async throws {
        let totals = Balance(captured: 10_000, refunded: 4_000)
        let relay = try await openRefund(.unknown(reason: "timeout"), GatewayAnswer(.refunded, totals: totals))
        _ = try await relay.resolve(statement(.notProcessed, 4_000))
        #expect(try await relay.sync("A")?.balance == totals)
    }

    @Test("a verified answer that agrees changes nothing") func agreement() async throws {
        let relay = try await uncertainPayment(GatewayAnswer(.captured))
        let settled = try await relay.resolve(statement(.captured))
        #expect(try await relay.sync("A") == settled)
        #expect(contradictions.withLock { $0 }.isEmpty)
    }

    @Test("an answer to the charge that comes after a statement by hand is recorded all the same")
    func lateAnswerToTheCharge() async throws {
        let claim = try Change.sample(SampleRequest.sample("A"), at: .wholeSecond - 600)
        #expect(await journal.claim(claim) == .written)
        let relay = relay()
        _ = try await relay.resolve(statement(.declined))
        let recorded = await relay.record(
            .charged(.answered(GatewayAnswer(.captured, reference: "1"))), on: claim.after,
            from: Origin(.gatewayAnswer, request: nil))
        #expect(recorded.payment.state == .captured && contradictions.withLock { $0 } == [.chargedAfterAll])
    }

    @Test("the operator's reason is erased with the customer's data, and who settled it when stays")
    func erasure() async throws {
        let relay = try await uncertainPayment()
        _ = try await relay.resolve(statement(.captured, because: "Sara Haddad called"))
        #expect(
            try await journal.eraseCustomerData(claimedBefore: .distantFuture, at: Date(), knowing: .sample) == 1)
        let payment = try #require(await journal.payment("A"))
        let history = await journal.history(of: "A")
        let kept = history.map { String(decoding: $0.event ?? [], as: UTF8.self) + ($0.note ?? "") }.joined()
        #expect(!kept.contains("Haddad") && kept.contains(#""source":"operator""#))
        let entry = try #require(payment.resolution(in: history))
        #expect(entry.operatorName == "sara" && entry.note == nil)
        #expect(payment.summary[ResolvedByHand.member] != nil)
    }

    // MARK: Samples

    private static func payment(_ state: PaymentState, _ command: Order.Command) -> Payment {
        Payment(
            merchantReference: "A", command: command, amount: 10_000, currency: "AED",
            fingerprint: RequestFingerprint(bytes: []), appleTransactionIdentifier: "ab", claimedAt: .wholeSecond,
            gateway: "fort", state: state, balance: state.sampleBalance)
    }

    private static func resolve(
        _ payment: Payment, _ resolution: Resolution, _ amount: MinorUnits
    ) throws(ResolutionRefusal) -> Change {
        let reason: OperatorNote
        do { reason = try OperatorNote("APS said so") } catch { preconditionFailure("\(error)") }
        return try payment.resolving(
            as: resolution, amount, because: reason, openFor: .seconds(7 * 86_400), patience: patience,
            on: Occasion(
                at: .wholeSecond + 7 * 86_400, origin: Origin(.operator("sara"), request: nil), recordsEvents: true))
    }
}
