import Foundation
import JournalContract
import Logging
import PayrelayPrimitives
import Synchronization
import Testing

@testable import PaymentRelay

/// R11: a message that arrives unasked is a hint. It may arrive twice, late, in any order, and from a stranger. It makes the
/// relay query the gateway, and only the gateway's answer changes a payment.
@Suite struct HintTests {
    let journal = MemoryJournal()

    @Test(
        "R11: no hint changes a payment that the gateway does not confirm",
        arguments: GatewayHint.Statement.allCases)
    func changesNothingByItself(statement: GatewayHint.Statement) async throws {
        for charge in [
            Outcome<GatewayAnswer>.unknown(reason: "timeout"), .answered(GatewayAnswer(.captured)),
            .answered(GatewayAnswer(.authorized)), .answered(GatewayAnswer(.declined)), .notSent(reason: "refused"),
        ] {
            let journal = MemoryJournal()
            let gateway = ScriptedGateway(
                onCharge: { _ in charge }, onQuery: { _ in .answered(GatewayAnswer(.notFound)) })
            let relay = Self.relay(gateway, over: journal)
            _ = try? await relay.pay(.sample("A"))
            let before = await journal.payment("A")
            for subject in GatewayHint.Subject.all {
                for amount in [nil, .zero, 1, 10_000, 10_001, 9_999_999_999] as [MinorUnits?] {
                    try await relay.take(.sample(subject, statement, amount: amount))
                    try await relay.take(.sample(subject, statement, amount: amount, reference: "other"))
                    await Investigator(relay: relay, logger: .silent).workOff()
                }
            }
            #expect(await journal.payment("A") == before)
        }
    }

    @Test("R11: a hint about an open payment leads to a query, and the answer ends the payment once")
    func settlesByTheAnswer()
        async throws
    {
        let gateway = ScriptedGateway(
            onCharge: { _ in .unknown(reason: "timeout") },
            onQuery: { _ in .answered(.paid(reference: "1")) })
        let relay = Self.relay(gateway, over: journal)
        _ = try await relay.pay(.sample("A"))
        for _ in 0..<3 { try await relay.take(.sample(.charge(.purchase), .captured, reference: "1")) }
        await Investigator(relay: relay, logger: .silent).workOff()
        #expect(await journal.payment("A")?.state == .captured)
        #expect(await journal.history(of: "A").map(\.state) == [.processing, .uncertain, .captured])
        #expect(await journal.history(of: "A").last?.source == .checkStatus(by: .notification(.direct)))
        #expect(await gateway.queries == ["A"])
    }

    @Test(
        "R11: an external refund is queried until an answer says how much was refunded",
        arguments: [MinorUnits.zero, 7])
    func asksAgainWithoutTotals(known: MinorUnits) async throws {
        let answers = Mutex<[GatewayAnswer]>([
            GatewayAnswer(.refunded), GatewayAnswer(.refunded), GatewayAnswer(.refunded),
            GatewayAnswer(.refunded, totals: Balance(captured: 10_000, refunded: 18)),
        ])
        let gateway = ScriptedGateway(
            onCharge: { _ in .answered(GatewayAnswer(.captured, totals: Balance(captured: 10_000))) },
            onQuery: { _ in .answered(answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }) },
            onOperation: { _ in .answered(GatewayAnswer(.refunded)) })
        let moment = Mutex(Date())
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent, now: { moment.withLock { $0 } })
        _ = try await relay.pay(.sample("A"))
        if known > .zero { _ = try await relay.perform(.sample(.refund, amount: known)) }
        moment.withLock { $0 += 86_400 }
        try await relay.take(.sample(.operation(.refund), .refunded, amount: 11))
        for _ in 1...4 {
            await Investigator(relay: relay, logger: .silent).workOff()
            moment.withLock { $0 += 60 }
        }
        #expect(await journal.payment("A")?.balance == Balance(captured: 10_000, refunded: 18))
        #expect(await journal.hintSummary().count == 0)
    }

    @Test("R11: a hint about a known outcome is acknowledged without a query") func asksNothingAboutWhatIsKnown()
        async throws
    {
        let gateway = ScriptedGateway(onCharge: { _ in .answered(GatewayAnswer(.captured, reference: "1")) })
        let relay = Self.relay(gateway, over: journal)
        _ = try await relay.pay(.sample("A"))
        for hint in [
            GatewayHint.sample(.charge(.purchase), .captured, reference: "1"),
            .sample(.charge(.purchase), .captured, amount: nil),
        ] {
            #expect(try await relay.knows(hint))
        }
        for hint in [
            GatewayHint.sample(.charge(.purchase), .captured, reference: "2"),
            .sample(.charge(.purchase), .captured, amount: 9_999),
            .sample(.charge(.purchase), .captured, currency: "USD"),
            .sample(.charge(.purchase), .captured, account: "other"), .sample(.charge(.authorization), .authorized),
            .sample(.charge(.purchase), .declined), .sample(.operation(.refund), .refunded),
        ] {
            #expect(try await !relay.knows(hint), "\(hint)")
        }
    }

    /// The merchant captures or refunds in FORT's dashboard an amount that the relay has seen before.
    @Test(
        "R11: an external operation is queried, even if an operation of the same amount was done or declined here",
        arguments: [GatewayAnswer.Meaning.refunded, .declined])
    func countsAnOperationMadeElsewhereOnce(first: GatewayAnswer.Meaning) async throws {
        let refunded = Mutex<MinorUnits>(first == .refunded ? 4_000 : .zero)
        let gateway = ScriptedGateway(
            onQuery: { _ in
                let refunded = refunded.withLock { $0 }
                return .answered(
                    GatewayAnswer(
                        refunded == .zero ? .captured : .refunded,
                        totals: Balance(captured: 10_000, refunded: refunded)))
            }, onOperation: { _ in .answered(GatewayAnswer(first)) })
        let relay = Self.relay(gateway, over: journal)
        _ = try await relay.pay(.sample("A"))
        _ = try await relay.perform(.sample(.refund, amount: 4_000))
        let left = refunded.withLock { total -> MinorUnits in
            total = total.adding(4_000) ?? .zero
            return total
        }
        for _ in 0..<3 { try await relay.take(.sample(.operation(.refund), .refunded, amount: 4_000)) }
        await Investigator(relay: relay, logger: .silent).workOff()
        #expect(await journal.payment("A")?.balance == Balance(captured: 10_000, refunded: left))
        #expect(await journal.payment("A")?.operations.count == 1)
        #expect(await gateway.queries.count == 1)
    }

    /// A refund of 4,000 that got no answer is mistaken for another refund of the same amount, which the totals show. The
    /// gateway then sends a hint about the other refund, and its totals grow afterwards.
    private func refundTakenForAnother(
        arrivingFor patience: Duration, thenRefunded total: MinorUnits, another: MinorUnits? = nil,
        hint: GatewayHint?, after seconds: Double
    ) async throws -> Balance? {
        let moment = Mutex(Date())
        let refunded = Mutex<MinorUnits>(4_000)
        let gateway = ScriptedGateway(
            onQuery: { _ in
                let totals = Balance(captured: 10_000, refunded: refunded.withLock { $0 })
                return .answered(GatewayAnswer(.refunded, totals: totals))
            },
            onOperation: { operation in
                guard operation.amount == another else { return .unknown(reason: "timeout") }
                return .answered(GatewayAnswer(.refunded))
            })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60), operationNotFoundAfter: patience),
            journal: journal, gateways: .only(gateway), logger: .silent, now: { moment.withLock { $0 } })
        _ = try await relay.pay(.sample("A"))
        _ = try await relay.perform(.sample(.refund, amount: 4_000))
        #expect(try await relay.sync("A")?.operations.last?.state == .done)
        if let another {
            _ = try await relay.perform(.sample(.refund, amount: another))
            refunded.withLock { $0 = $0.adding(another) ?? .zero }
        }
        try await relay.take(.sample(.operation(.refund), .refunded, amount: 4_000))
        await Investigator(relay: relay, logger: .silent).workOff()
        refunded.withLock { $0 = total }
        if let hint { try await relay.take(hint) }
        moment.withLock { $0 += seconds }
        await Investigator(relay: relay, logger: .silent).workOff()
        return await journal.payment("A")?.balance
    }

    @Test("R11: an external refund is not lost if it was mistaken for a refund of the same amount that arrived later")
    func countsALateOperationToo() async throws {
        let balance = try await refundTakenForAnother(
            arrivingFor: .seconds(240), thenRefunded: 8_000, hint: nil, after: 240)
        #expect(balance == Balance(captured: 10_000, refunded: 8_000))
    }

    @Test("R11: the external refund is not lost if another refund was answered before the late one arrived")
    func countsALateOperationBehindAnother() async throws {
        let balance = try await refundTakenForAnother(
            arrivingFor: .seconds(240), thenRefunded: 9_000, another: 1_000, hint: nil, after: 240)
        #expect(balance == Balance(captured: 10_000, refunded: 9_000))
    }

    @Test("R11: a hint that arrives while a query is to be repeated is queried within a quarter of an hour")
    func asksWithinAQuarterOfAnHour() async throws {
        let balance = try await refundTakenForAnother(
            arrivingFor: .seconds(3_600), thenRefunded: 7_000,
            hint: .sample(.operation(.refund), .refunded, amount: 3_000), after: 900)
        #expect(balance == Balance(captured: 10_000, refunded: 7_000))
    }

    @Test("R11: a charged payment that was reported as not charged becomes charged, with its event and an alert")
    func recordsAProvenCharge() async throws {
        for (charge, told) in [
            (
                Outcome<GatewayAnswer>.answered(GatewayAnswer(.declined, reference: "1")), PaymentState.declined
            ),
            (.notSent(reason: "refused"), .notSent),
        ] {
            let journal = MemoryJournal()
            let seen = Mutex<[Contradiction]>([])
            let gateway = ScriptedGateway(
                onCharge: { _ in charge },
                onQuery: { _ in
                    .answered(GatewayAnswer(.captured, totals: Balance(captured: 10_000), reference: "2"))
                })
            let relay = PaymentRelay(
                policy: .init(verifier: nil, notFoundAfter: .seconds(60), recordsEvents: true), journal: journal,
                gateways: .only(gateway), logger: .silent,
                observe: { if case .contradicted(let kind) = $0 { seen.withLock { $0.append(kind) } } })
            _ = try? await relay.pay(.sample("A"))
            #expect(await journal.payment("A")?.state == told)
            try await relay.take(.sample(.charge(.purchase), .captured, reference: "2"))
            await Investigator(relay: relay, logger: .silent).workOff()
            let payment = try #require(await journal.payment("A"))
            #expect(payment.state == .captured && payment.balance == Balance(captured: 10_000))
            #expect(payment.gatewayReference == "2")
            #expect(seen.withLock { $0 } == [.chargedAfterAll])
            let event = await journal.history(of: "A").last?.event.map { String(decoding: $0, as: UTF8.self) }
            #expect(event?.contains("payment.captured") == true)
        }
    }

    /// FORT's answer to the charge arrives after another outcome of the payment was recorded.
    @Test("R11: a charge that was proven is not dropped because another outcome was written first")
    func examinesALostTransition() async throws {
        let gateway = ScriptedGateway(onCharge: { [journal] _ in
            _ = try? await journal.transition(
                "A", from: .processing, receipt: [], because: HistoryEntry(at: Date(), state: .uncertain))
            _ = try? await journal.transition(
                "A", from: .uncertain, receipt: [], because: HistoryEntry(at: Date(), state: .declined))
            return .answered(GatewayAnswer(.captured))
        })
        let result = try await Self.relay(gateway, over: journal).pay(.sample("A"))
        #expect(result.payment.state == .captured)
        #expect(await journal.payment("A")?.state == .captured)
    }

    @Test("R14: a second charge under one reference is an entry of the history and an alert, once")
    func tellsOfASecondCharge() async throws {
        let seen = Mutex<[Contradiction]>([])
        let gateway = ScriptedGateway(
            onCharge: { _ in .answered(GatewayAnswer(.captured, reference: "1")) },
            onQuery: { _ in .answered(GatewayAnswer(.captured, totals: Balance(captured: 10_000), reference: "2")) })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60), recordsEvents: true), journal: journal,
            gateways: .only(gateway), logger: .silent,
            observe: { if case .contradicted(let kind) = $0 { seen.withLock { $0.append(kind) } } })
        _ = try await relay.pay(.sample("A"))
        let known = try #require(await journal.payment("A"))
        try await relay.take(.sample(.charge(.purchase), .captured, reference: "2"))
        await Investigator(relay: relay, logger: .silent).workOff()
        _ = try await relay.sync("A")
        let payment = try #require(await journal.payment("A"))
        #expect(payment.state == .captured && payment.balance == known.balance && payment.receipt == known.receipt)
        #expect(seen.withLock { $0 } == [.secondCharge])
        let entries = await journal.history(of: "A").filter { $0.reason?.contains("second charge, 2") ?? false }
        #expect(entries.count == 1)
        let event = try JSON(parsing: try #require(entries.first?.event))
        #expect(event["type"] == "payment.second_charge" && event["outcome"] == "captured")
        #expect(event["payment"]?["captured_amount"] == 10_000 && event["payment"]?["fort_id"] == nil)
        #expect(event["second_charge"]?["fort_id"] == "2" && event["second_charge"]?["captured_amount"] == 10_000)
    }

    /// A gateway that answers a query by reference with the charge "1", and has a second charge, "2", which only a query by
    /// number finds.
    private static func chargedTwice() -> ScriptedGateway {
        ScriptedGateway(
            onCharge: { _ in .answered(GatewayAnswer(.captured, reference: "1")) },
            onQuery: { _ in .answered(GatewayAnswer(.captured, totals: Balance(captured: 10_000), reference: "1")) },
            onNumber: { number in
                let isOne = ["1", "2"].contains(number)
                return .answered(
                    GatewayAnswer(
                        isOne ? .captured : .notFound, totals: isOne ? Balance(captured: 10_000) : nil,
                        reference: number))
            })
    }

    @Test(
        "R17: a second charge is found by the number that a hint names, also beside invented numbers",
        arguments: [["2"], ["7", "2"], ["2", "7"], ["1", "2", "7", "8"], ["7", "8", "9", "2"]])
    func findsASecondChargeByItsNumber(numbers: [String]) async throws {
        let gateway = Self.chargedTwice()
        let seen = Mutex<[Contradiction]>([])
        let journal = MemoryJournal()
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60), recordsEvents: true), journal: journal,
            gateways: .only(gateway), logger: .silent,
            observe: { if case .contradicted(let kind) = $0 { seen.withLock { $0.append(kind) } } })
        _ = try await relay.pay(.sample("A"))
        let known = try #require(await journal.payment("A"))
        for number in numbers {
            // The relay does not know these numbers, so each hint is recorded.
            #expect(
                try await relay.record(.sample(.charge(.purchase), .captured, reference: number), kind: .direct))
        }
        #expect(await journal.hintSummary().count == 1)
        await Investigator(relay: relay, logger: .silent).workOff()
        let payment = try #require(await journal.payment("A"))
        #expect(payment.state == .captured && payment.balance == known.balance && payment.receipt == known.receipt)
        #expect(seen.withLock { $0 } == [.secondCharge])
        #expect(await journal.history(of: "A").last?.source == .checkStatus(by: .notification(.direct)))
        #expect(await journal.hintSummary().count == 0)
        let queried = ["A"] + numbers.filter { $0 != "1" }.map { "A \($0)" }
        #expect(await gateway.queries == queried)
    }

    @Test(
        "R16: an answer to a query by number that does not name the number, or shows no charge, proves nothing",
        arguments: [
            GatewayAnswer(.captured, totals: Balance(captured: 10_000), reference: "3"),
            GatewayAnswer(.captured, totals: Balance(captured: 10_000)), GatewayAnswer(.notFound, reference: "2"),
            GatewayAnswer(.declined, reference: "2"), GatewayAnswer(.voided, reference: "2"),
            GatewayAnswer(.pending(reason: "on hold"), reference: "2"),
        ])
    func anAnswerAboutAnotherNumberProvesNothing(answer: GatewayAnswer) async throws {
        for charge in [
            Outcome<GatewayAnswer>.unknown(reason: "timeout"), .answered(GatewayAnswer(.captured, reference: "1")),
        ] {
            let journal = MemoryJournal()
            let gateway = ScriptedGateway(
                onCharge: { _ in charge }, onQuery: { _ in .answered(GatewayAnswer(.pending(reason: "on hold"))) },
                onNumber: { _ in .answered(answer) })
            // Without a waiting time, every answer that may end a payment ends it at once.
            let relay = PaymentRelay(
                policy: .init(verifier: nil, notFoundAfter: .zero), journal: journal, gateways: .only(gateway),
                logger: .silent)
            _ = try await relay.pay(.sample("A"))
            let before = await journal.payment("A")
            try await relay.take(.sample(.charge(.purchase), .captured, reference: "2"))
            await Investigator(relay: relay, logger: .silent).workOff()
            #expect(await gateway.queries == ["A", "A 2"])
            // The history may have got an entry, depending on the answer about the reference. State and balance must be
            // unchanged.
            let after = await journal.payment("A")
            #expect(after?.state == before?.state && after?.balance == before?.balance)
            #expect(after?.gatewayReference == before?.gatewayReference && after?.receipt == before?.receipt)
        }
    }

    @Test("R17: a lost charge that an answer about the reference does not show is settled by its number")
    func settlesALostChargeByItsNumber() async throws {
        let gateway = ScriptedGateway(
            onCharge: { _ in .unknown(reason: "timeout") },
            onQuery: { _ in .answered(GatewayAnswer(.declined, reference: "1")) },
            onNumber: {
                .answered(GatewayAnswer(.captured, totals: Balance(captured: 10_000), reference: $0))
            })
        let relay = Self.relay(gateway, over: journal)
        _ = try await relay.pay(.sample("A"))
        try await relay.take(.sample(.charge(.purchase), .captured, reference: "2"))
        await Investigator(relay: relay, logger: .silent).workOff()
        #expect(await journal.payment("A")?.state == .captured)
        #expect(await journal.payment("A")?.gatewayReference == "2")
    }

    @Test("R10: a query by number without an answer is repeated, and the number waits with the hint")
    func queriesTheNumberAgainAfterSilence() async throws {
        let moment = Mutex(Date())
        let isReachable = Mutex(false)
        let gateway = ScriptedGateway(
            onCharge: { _ in .answered(GatewayAnswer(.captured, reference: "1")) },
            onQuery: { _ in .answered(GatewayAnswer(.captured, totals: Balance(captured: 10_000), reference: "1")) },
            onNumber: { number in
                isReachable.withLock { $0 }
                    ? .answered(GatewayAnswer(.captured, totals: Balance(captured: 10_000), reference: number))
                    : .unknown(reason: "timeout")
            })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent, now: { moment.withLock { $0 } })
        _ = try await relay.pay(.sample("A"))
        try await relay.take(.sample(.charge(.purchase), .captured, reference: "2"))
        await Investigator(relay: relay, logger: .silent).workOff()
        #expect(await journal.hintSummary().count == 1)
        isReachable.withLock { $0 = true }
        moment.withLock { $0 += 30 }
        await Investigator(relay: relay, logger: .silent).workOff()
        #expect(await journal.hintSummary().count == 0)
        #expect(await journal.history(of: "A").filter { $0.reason?.contains("second charge, 2") ?? false }.count == 1)
    }

    @Test("R17: a second charge of an external payment is found once the payment is known")
    func findsASecondChargeOfAPaymentMadeElsewhere() async throws {
        let gateway = ScriptedGateway(
            onQuery: { _ in .answered(GatewayAnswer(.captured, totals: Balance(captured: 100), reference: "1")) },
            onNumber: { .answered(GatewayAnswer(.captured, totals: Balance(captured: 100), reference: $0)) },
            onUnknown: { _, _ in
                .answered(GatewayAnswer(.captured, authorized: 100, totals: Balance(captured: 100), reference: "1"))
            })
        let moment = Mutex(Date())
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent, now: { moment.withLock { $0 } })
        try await relay.take(.sample(.charge(.purchase), .captured, of: "SDK-1", amount: 100, reference: "2"))
        await Investigator(relay: relay, logger: .silent).workOff()
        moment.withLock { $0 += 1 }
        await Investigator(relay: relay, logger: .silent).workOff()
        #expect(await journal.payment("SDK-1")?.gatewayReference == "1")
        let told = await journal.history(of: "SDK-1").filter { $0.reason?.contains("second charge, 2") ?? false }
        #expect(told.count == 1)
    }

    @Test("S14: a flood of invented numbers is one row of the journal and few queries, and a genuine one still counts")
    func boundsInventedNumbers() async throws {
        let moment = Mutex(Date())
        let gateway = Self.chargedTwice()
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent, now: { moment.withLock { $0 } })
        _ = try await relay.pay(.sample("A"))
        // Ten messages a second arrive for ten minutes. A refused message is not acknowledged.
        var refused = 0
        for number in 0..<6_000 {
            let hint = GatewayHint.sample(.charge(.purchase), .captured, reference: "\(1_000 + number)")
            if try await !relay.record(hint, kind: .direct) { refused += 1 }
            await Investigator(relay: relay, logger: .silent).workOff()
            #expect(await journal.hintSummary().count <= 1)
            moment.withLock { $0 += 0.1 }
        }
        #expect(refused > 5_000)
        let queries = await gateway.queries
        #expect(queries.filter { $0 == "A" }.count <= 20)
        #expect(queries.count <= 20 * (1 + PendingHint.chargeLimit))
        // FORT repeats a message that is not acknowledged.
        let genuine = GatewayHint.sample(.charge(.purchase), .captured, reference: "2")
        while try await !relay.record(genuine, kind: .direct) {
            moment.withLock { $0 += 10 }
            await Investigator(relay: relay, logger: .silent).workOff()
        }
        moment.withLock { $0 += 60 }
        await Investigator(relay: relay, logger: .silent).workOff()
        #expect(await journal.history(of: "A").filter { $0.reason?.contains("second charge, 2") ?? false }.count == 1)
    }

    @Test(
        "S9: a text that cannot be a charge's number is not kept",
        arguments: ["", " ", "1 2", "1\n2", "\0", String(repeating: "1", count: 41), "1\u{301}", "٢"])
    func keepsNoHostileNumber(text: String) {
        #expect(GatewayHint.sample(.charge(.purchase), .captured, reference: text).gatewayReference == nil)
        let stored = #"{"statement":"captured","charge":"PURCHASE","processor_reference":"\#(text)"}"#
        let read = GatewayHint(account: "main", merchantReference: "A", storedText: stored)
        #expect(read?.gatewayReference == nil)
    }

    @Test("R14: a second charge that is already known is not news: its query was in vain")
    func asksInVainAboutAKnownSecondCharge() async throws {
        let gateway = ScriptedGateway(
            onCharge: { _ in .answered(GatewayAnswer(.captured, reference: "1")) },
            onQuery: { _ in .answered(GatewayAnswer(.captured, totals: Balance(captured: 10_000), reference: "2")) })
        let relay = Self.relay(gateway, over: journal)
        _ = try await relay.pay(.sample("A"))
        let pending = PendingHint(
            hint: .sample(.charge(.purchase), .captured, reference: "2"), kind: .direct, isMixed: false, times: 1,
            queriesInVain: 0, leaseExpiresAt: Date())
        let first = try await relay.investigate(pending)
        #expect(first.0 == .answered && first.1 == .changed)
        let (end, investigation) = try await relay.investigate(pending)
        guard case .inVain = end else {
            Issue.record("a message that is sent again is asked about at once, each time")
            return
        }
        #expect(investigation == .unchanged)
        #expect(try await relay.queriesWithoutChange(of: "A").map(\.answer) == [.contradictory])
    }

    @Test(
        "an alert is not lost if the journal wrote the change and did not report it",
        arguments: [(GatewayAnswer.Meaning.captured, Contradiction.secondCharge), (.declined, .chargedAfterAll)])
    func alertsWhereTheWriteIsInDoubt(told: GatewayAnswer.Meaning, contradiction: Contradiction) async throws {
        let journal = DoubtfulJournal()
        let seen = Mutex<[Contradiction]>([])
        let gateway = ScriptedGateway(
            onCharge: { _ in .answered(GatewayAnswer(told, reference: "1")) },
            onQuery: { _ in .answered(GatewayAnswer(.captured, totals: Balance(captured: 10_000), reference: "2")) })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent,
            observe: { if case .contradicted(let kind) = $0 { seen.withLock { $0.append(kind) } } })
        _ = try await relay.pay(.sample("A"))
        let entries = await journal.inner.history(of: "A").count
        journal.isInDoubt.withLock { $0 = true }
        #expect(try await relay.sync("A")?.state == .captured)
        #expect(!journal.isInDoubt.withLock { $0 })
        #expect(await journal.inner.history(of: "A").count == entries + 1)
        #expect(seen.withLock { $0 } == [contradiction])
    }

    @Test("S14: repeated hints lead to fewer and fewer queries") func restsAfterQuestionsInVain() async throws {
        let moment = Mutex(Date())
        let gateway = ScriptedGateway(onCharge: { _ in .answered(GatewayAnswer(.captured, reference: "1")) })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent, now: { moment.withLock { $0 } })
        _ = try await relay.pay(.sample("A"))
        // Ten messages a second arrive for ten minutes.
        for _ in 0..<6_000 {
            try await relay.take(.sample(.operation(.refund), .refunded, amount: 4_000))
            await Investigator(relay: relay, logger: .silent).workOff()
            moment.withLock { $0 += 0.1 }
        }
        #expect(await (10...20).contains(gateway.queries.count))
    }

    @Test("S14: hints about many references are bounded, and refused beyond") func boundsTheHints() async throws {
        let relay = Self.relay(ScriptedGateway(), over: journal)
        for number in 0..<PaymentRelay.hintLimit {
            #expect(
                try await relay.record(.sample(.charge(.purchase), .captured, of: "R-\(number)"), kind: .direct))
        }
        #expect(try await !relay.record(.sample(.charge(.purchase), .captured, of: "more"), kind: .direct))
        #expect(try await relay.record(.sample(.charge(.purchase), .declined, of: "R-1"), kind: .direct))
    }

    @Test("R10: a query without an answer is repeated") func asksAgainAfterSilence() async throws {
        let moment = Mutex(Date())
        let isReachable = Mutex(false)
        let gateway = ScriptedGateway(onUnknown: { _, _ in
            isReachable.withLock { $0 }
                ? .answered(GatewayAnswer(.captured, authorized: 10_000, totals: Balance(captured: 10_000)))
                : .unknown(reason: "timeout")
        })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent, now: { moment.withLock { $0 } })
        try await relay.take(.sample(.charge(.purchase), .captured, of: "SDK-1"))
        await Investigator(relay: relay, logger: .silent).workOff()
        #expect(await journal.hintSummary().count == 1)
        isReachable.withLock { $0 = true }
        moment.withLock { $0 += 60 }
        await Investigator(relay: relay, logger: .silent).workOff()
        #expect(await journal.hintSummary().count == 0)
        #expect(await journal.payment("SDK-1")?.state == .captured)
    }

    @Test("S12: a hint that cannot be journaled is not acknowledged")
    func acknowledgesNothingThatCannotBeRecorded() async throws {
        let relay = Self.relay(ScriptedGateway(), over: BrokenJournal(inner: journal, breaksHints: true))
        await #expect(throws: BrokenJournal.broken) {
            try await relay.take(.sample(.charge(.purchase), .captured))
        }
    }

    /// Seed 003: the merchant's app may also pay through FORT's SDK, and one receiver serves both integrations.
    @Test(
        "R11: an external payment is recorded from the gateway's answer, and the facts that only the hint states are marked"
    )
    func recordsAPaymentMadeElsewhere() async throws {
        let gateway = ScriptedGateway(
            onQuery: { _ in
                .answered(
                    GatewayAnswer(
                        .refunded, totals: Balance(captured: 12_345, refunded: 4_000), reference: "1"))
            },
            onUnknown: { _, _ in
                .answered(
                    GatewayAnswer(
                        .captured, authorized: 12_345, totals: Balance(captured: 12_345), reference: "1"))
            })
        let relay = Self.relay(gateway, over: journal)
        // The hint's amount is not used.
        try await relay.take(.sample(.charge(.purchase), .captured, of: "SDK-1", reference: "1"))
        await Investigator(relay: relay, logger: .silent).workOff()
        let payment = try #require(await journal.payment("SDK-1"))
        #expect(payment.isMadeElsewhere && payment.state == .captured && payment.account == "main")
        #expect(payment.amount == 12_345 && payment.balance == Balance(captured: 12_345))
        #expect(try JSON(parsing: try #require(payment.receipt))["unproven"] == ["command", "currency"])
        let event = try #require(await journal.history(of: "SDK-1").first?.event)
        #expect(try JSON(parsing: event)["payment"]?["account"] == "main")
        #expect(try JSON(parsing: event)["payment"]?["made_elsewhere"] == true)
        #expect(try JSON(parsing: event)["payment"]?["unproven"] == ["command", "currency"])
        #expect(await gateway.queries == ["main SDK-1"])

        try await relay.take(.sample(.operation(.refund), .refunded, of: "SDK-1", amount: 4_000, reference: "1"))
        await Investigator(relay: relay, logger: .silent).workOff()
        #expect(await journal.payment("SDK-1")?.state == .partiallyRefunded)
        await #expect(throws: PaymentRefusal.referenceTaken(differing: nil)) { try await relay.pay(.sample("SDK-1")) }
    }

    @Test(
        "R11: an external payment that is charged after a decline still lists the members that no answer has proven",
        arguments: [
            (
                GatewayAnswer(.captured, authorized: 10_000, totals: Balance(captured: 10_000)),
                ["command", "currency"]
            ),
            // A purchase is captured in full.
            (GatewayAnswer(.captured, authorized: 10_000), ["command", "currency"]),
        ] as [(GatewayAnswer, [String])])
    func marksWhatIsUnprovenAfterADecline(answer: GatewayAnswer, unproven: [String]) async throws {
        let gateway = ScriptedGateway(
            onQuery: { _ in .answered(answer) }, onUnknown: { _, _ in .answered(GatewayAnswer(.declined)) })
        let relay = Self.relay(gateway, over: journal)
        for (statement, state, expected) in [
            (GatewayHint.Statement.declined, PaymentState.declined, ["amount", "command", "currency"]),
            (.captured, .captured, unproven),
        ] as [(GatewayHint.Statement, PaymentState, [String])] {
            let expected = JSON.array(expected.map { .string($0) })
            try await relay.take(.sample(.charge(.purchase), statement, of: "SDK-1"))
            await Investigator(relay: relay, logger: .silent).workOff()
            let payment = try #require(await journal.payment("SDK-1"))
            #expect(payment.isMadeElsewhere && payment.state == state)
            #expect(try JSON(parsing: try #require(payment.receipt))["unproven"] == expected)
            let event = try #require(await journal.history(of: "SDK-1").last?.event)
            #expect(try JSON(parsing: event)["payment"]?["unproven"] == expected)
        }
    }

    @Test(
        "R12: after a decline of which nothing proves the amount, a payment has the amount that it was made with",
        arguments: [
            (
                GatewayAnswer(.captured, authorized: 9_000, totals: Balance(captured: 9_000)), Order.Command.purchase,
                Balance(captured: 9_000)
            ),
            (GatewayAnswer(.authorized, authorized: 12_000), .authorization, Balance()),
        ])
    func takesTheAmountThatIsProven(answer: GatewayAnswer, command: Order.Command, balance: Balance) async throws {
        let gateway = ScriptedGateway(
            onQuery: { _ in .answered(answer) }, onUnknown: { _, _ in .answered(GatewayAnswer(.declined)) })
        let relay = Self.relay(gateway, over: journal)
        for statement in [GatewayHint.Statement.declined, .captured] {
            try await relay.take(.sample(.charge(.purchase), statement, of: "SDK-1"))
            await Investigator(relay: relay, logger: .silent).workOff()
        }
        let payment = try #require(await journal.payment("SDK-1"))
        #expect(payment.amount == answer.authorized && payment.command == command && payment.balance == balance)
        #expect(payment.state == (command == .purchase ? .captured : .authorized))
        #expect(try !(JSON(parsing: try #require(payment.receipt))["unproven"]?.arrayValue ?? []).contains("amount"))
    }

    @Test("R12: an order declined in one currency and paid in another is an alert: no answer has the currency")
    func tellsOfAnotherCurrencyAfterADecline() async throws {
        let seen = Mutex<[Implausibility.Kind]>([])
        let paid = GatewayAnswer(.captured, authorized: 10_000, totals: Balance(captured: 10_000))
        let gateway = ScriptedGateway(
            onQuery: { _ in .answered(paid) }, onUnknown: { _, _ in .answered(GatewayAnswer(.declined)) })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent, observe: { if case .implausible(let kind) = $0 { seen.withLock { $0.append(kind) } } })
        for (statement, currency) in [(GatewayHint.Statement.declined, "AED"), (.captured, "USD")] {
            try await relay.take(.sample(.charge(.purchase), statement, of: "SDK-1", currency: currency))
            await Investigator(relay: relay, logger: .silent).workOff()
        }
        #expect(await journal.payment("SDK-1")?.state == .captured)
        #expect(seen.withLock { $0 } == [.otherCurrency])
    }

    @Test(
        "R12, R14: an external payment that the answer does not prove is not recorded",
        arguments: [
            GatewayAnswer(.notFound), GatewayAnswer(.pending(reason: "on hold")), GatewayAnswer(.captured),
            GatewayAnswer(.captured, authorized: 0, totals: Balance()),
            GatewayAnswer(.captured, authorized: 100, totals: Balance(captured: 200)),
        ])
    func recordsNothingUnproven(answer: GatewayAnswer) async throws {
        let relay = Self.relay(ScriptedGateway(onUnknown: { _, _ in .answered(answer) }), over: journal)
        try await relay.take(.sample(.charge(.purchase), .captured))
        await Investigator(relay: relay, logger: .silent).workOff()
        #expect(await journal.isEmpty)
    }

    @Test("R12: a currency that the account does not take is not recorded") func holdsTheCurrencyAgainstTheAccount()
        async throws
    {
        let seen = Mutex<[Implausibility.Kind]>([])
        let gateway = ScriptedGateway(onUnknown: { _, _ in
            .answered(GatewayAnswer(.captured, authorized: 100, totals: Balance(captured: 100)))
        })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent, observe: { if case .implausible(let kind) = $0 { seen.withLock { $0.append(kind) } } })
        try await relay.take(.sample(.charge(.purchase), .captured, currency: "USD"))
        try await relay.take(.sample(.charge(.purchase), .captured, of: "B", currency: nil))
        try await relay.take(.sample(.charge(.purchase), .captured, of: "C", currency: "money"))
        await Investigator(relay: relay, logger: .silent).workOff()
        #expect(await journal.isEmpty)
        #expect(seen.withLock { $0 } == [.otherCurrency])
    }

    @Test(
        "R12: another account's charge of a reference changes nothing, and is an alert if that account confirms it")
    func tellsOfAChargeInAnotherAccount() async throws {
        let seen = Mutex<[Contradiction]>([])
        let answers: [(GatewayAnswer, [Contradiction])] = [
            (GatewayAnswer(.notFound), []), (GatewayAnswer(.voided), []),
            (
                GatewayAnswer(.captured, authorized: 10_000, totals: Balance(captured: 10_000)),
                [.chargeInOtherAccount]
            ),
        ]
        for (answer, expected) in answers {
            let journal = MemoryJournal()
            let gateway = ScriptedGateway(
                onCharge: { _ in .unknown(reason: "timeout") }, onUnknown: { _, _ in .answered(answer) })
            let relay = PaymentRelay(
                policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal,
                gateways: .only(gateway),
                logger: .silent,
                observe: { if case .contradicted(let kind) = $0 { seen.withLock { $0.append(kind) } } })
            _ = try await relay.pay(.sample("A"))
            let before = await journal.payment("A")
            try await relay.take(.sample(.charge(.purchase), .captured, account: "other"))
            await Investigator(relay: relay, logger: .silent).workOff()
            #expect(await journal.payment("A") == before)
            #expect(await gateway.queries == ["other A"])
            #expect(seen.withLock { $0 } == expected)
        }
    }

    @Test("R12: a client's order replaces another account's charge of its reference, which is an alert")
    func tellsOfTheChargeThatAnOrderReplaces() async throws {
        let seen = Mutex<[Contradiction]>([])
        let gateway = ScriptedGateway(
            onCharge: { _ in .answered(GatewayAnswer(.captured, reference: "1")) },
            onUnknown: { _, _ in
                .answered(GatewayAnswer(.captured, authorized: 10_000, totals: Balance(captured: 10_000)))
            })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent,
            observe: { if case .contradicted(let kind) = $0 { seen.withLock { $0.append(kind) } } })
        try await relay.take(.sample(.charge(.purchase), .captured, account: "other"))
        await Investigator(relay: relay, logger: .silent).workOff()
        #expect(await journal.payment("A")?.isMadeElsewhere == true)
        #expect(seen.withLock { $0 } == [])
        #expect(try await relay.pay(.sample("A")).payment.state == .captured)
        #expect(await journal.payment("A")?.isMadeElsewhere == false)
        #expect(seen.withLock { $0 } == [.chargeInOtherAccount])
    }

    private static func relay(_ gateway: ScriptedGateway, over journal: any Journal) -> PaymentRelay {
        // The patience is longer than any machine takes for a test, because the clock is real.
        PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(86_400), recordsEvents: true), journal: journal,
            gateways: .only(gateway), logger: .silent)
    }
}

/// A journal that commits one change and reports that it did not.
private final class DoubtfulJournal: ForwardingJournal {
    let inner = MemoryJournal()
    let isInDoubt = Mutex(false)

    var target: any Journal { inner }

    func commit(_ change: Change) async -> CommitResult {
        let result = await inner.commit(change)
        return isInDoubt.withLock { isInDoubt in
            defer { isInDoubt = false }
            return isInDoubt ? .versionChanged : result
        }
    }
}

extension PaymentRelay {
    /// Takes a hint as the endpoint of FORT's feedback does.
    fileprivate func take(_ hint: GatewayHint) async throws {
        #expect(try await takeHint(hint))
    }
}

extension GatewayHint.Subject {
    fileprivate static let all: [Self] =
        [.charge(.authorization), .charge(.purchase)] + OperationCommand.allCases.map { .operation($0) }
}

extension GatewayHint {
    fileprivate static func sample(
        _ subject: Subject, _ statement: Statement, of merchantReference: String = "A", amount: MinorUnits? = 10_000,
        currency: String? = "AED", account: String = "main", reference: String? = nil
    ) -> GatewayHint {
        GatewayHint(
            account: account, merchantReference: merchantReference, subject: subject, statement: statement,
            amount: amount, currency: currency, gatewayReference: reference)
    }
}
