import Foundation
import JournalContract
import Logging
import PayrelayPrimitives
import Synchronization
import Testing

@testable import PaymentRelay

/// R11: notifications may come twice, late and in any order.
@Suite struct FeedbackTests {
    let journal = MemoryJournal()

    @Test("R11: a notification settles an uncertain payment once") func settlesAnUncertainPaymentOnce() async throws {
        let relay = try await relay(charge: .unanswered(reason: "timeout"))
        for _ in 0..<3 {
            #expect(try await relay.apply(.sample(.charge(.purchase), .captured), request: "f") == .applied)
        }
        let payment = try #require(await journal.payment("A"))
        #expect(payment.state == .captured && payment.balance == Balance(captured: 10_000))
        #expect(await journal.history(of: "A").map(\.state) == [.processing, .uncertain, .captured])
        #expect(await journal.history(of: "A").last?.requestIdentifier == "f")
    }

    @Test("R11: a notification never takes a payment backwards") func neverTakesAPaymentBackwards() async throws {
        let relay = try await relay(charge: .answered(ProcessorAnswer(.captured)))
        _ = try await relay.perform(.sample(.refund))
        let told = await journal.payment("A")
        for meaning in [ProcessorAnswer.Meaning.authorized, .declined, .pending(reason: "x"), .captured] {
            #expect(try await relay.apply(.sample(.charge(.purchase), meaning), request: "f") == .applied)
        }
        #expect(await journal.payment("A") == told)
    }

    @Test("R14: a notification about another amount or currency settles nothing") func ignoresAnotherAmountOrCurrency()
        async throws
    {
        let relay = try await relay(charge: .unanswered(reason: "timeout"))
        _ = try await relay.apply(.sample(.charge(.purchase), .captured, amount: 9_999), request: "f")
        _ = try await relay.apply(.sample(.charge(.purchase), .captured, currency: "USD"), request: "f")
        #expect(await journal.payment("A")?.state == .uncertain)
    }

    @Test func settlesAPaymentThatIsBeingCharged() async throws {
        let processor = ScriptedProcessor(onCharge: { [journal] _ in
            let relay = Self.relay(ScriptedProcessor(), over: journal)
            _ = try? await relay.apply(.sample(.charge(.purchase), .captured), request: "f")
            return .answered(ProcessorAnswer(.captured))
        })
        let result = try await Self.relay(processor, over: journal).pay(.sample("A"))
        #expect(result.payment.state == .captured)
        #expect(await journal.history(of: "A").map(\.state) == [.processing, .captured])
    }

    @Test("R11: a notification of an operation that is settled changes nothing")
    func changesNothingForAnOperationMadeHere() async throws {
        let relay = try await relay(charge: .answered(ProcessorAnswer(.captured)))
        _ = try await relay.perform(.sample(.refund, amount: 4_000))
        let told = await journal.payment("A")
        _ = try await relay.apply(.sample(refundOf: 4_000), request: "f")
        #expect(await journal.payment("A") == told)
    }

    /// A refund from FORT's dashboard: however often it is notified, it counts once, and it counts what the processor's
    /// books say.
    @Test("R11: an operation made elsewhere is queried and counts once") func countsAnOperationMadeElsewhereOnce()
        async throws
    {
        let processor = ScriptedProcessor(onQuery: { _ in
            .answered(ProcessorAnswer(.refunded, totals: Balance(captured: 10_000, refunded: 4_000)))
        })
        let relay = Self.relay(processor, over: journal)
        _ = try await relay.pay(.sample("A"))
        for _ in 0..<3 { #expect(try await relay.apply(.sample(refundOf: 4_000), request: "f") == .applied) }
        #expect(await journal.payment("A")?.openOperation?.amount == 4_000)
        await Reconciler(relay: relay, logger: .silent).workOff()
        _ = try await relay.apply(.sample(refundOf: 4_000), request: "f")
        let payment = try #require(await journal.payment("A"))
        #expect(payment.state == .partiallyRefunded && payment.balance == Balance(captured: 10_000, refunded: 4_000))
        #expect(payment.operations.map(\.state) == [.done])
        #expect(await processor.operations == [])
    }

    /// R14: an operation that was notified and that the totals do not show keeps the merchant from the next operation for a
    /// minute, not for the hour that an operation of the merchant's own is waited for.
    @Test func givesUpAnOperationThatTheTotalsDoNotShow() async throws {
        let moment = Mutex(Date())
        let relay = try await authorizedRelay(now: { moment.withLock { $0 } })
        let subject = ProcessorNotification.Subject.operation(.capture, maintenanceReference: nil)
        _ = try await relay.apply(.sample(subject, .captured, amount: 4_000), request: "f")
        await #expect(throws: OperationRefusal.inFlight) { try await relay.perform(.sample(.capture)) }
        moment.withLock { $0 += 61 }
        _ = try await relay.sync("A")
        #expect(await journal.payment("A")?.operations.map(\.state) == [.notProcessed])
        #expect(try await relay.perform(.sample(.capture)).operation.state == .done)
    }

    /// R14: notifications of captures that never show use up none of the operations that a payment may have.
    @Test("S14: notifications do not use up a payment's operations") func leavesRoomForTheMerchantsOperations()
        async throws
    {
        let moment = Mutex(Date())
        let relay = try await authorizedRelay(now: { moment.withLock { $0 } })
        let subject = ProcessorNotification.Subject.operation(.capture, maintenanceReference: nil)
        for amount in 1...UInt64(PaymentRelay.operationLimit + 5) {
            let told = ProcessorNotification.sample(subject, .captured, amount: MinorUnits(Int(amount)) ?? 1)
            #expect(try await relay.apply(told, request: "f") == .applied)
            moment.withLock { $0 += 61 }
            _ = try await relay.sync("A")
        }
        #expect(await journal.payment("A")?.operations.count == 1)
        #expect(try await relay.perform(.sample(.capture)).operation.state == .done)
    }

    @Test("S12: a notification that cannot be journaled is not acknowledged")
    func acknowledgesNothingThatCannotBeRecorded() async throws {
        let relay = try await relay(charge: .unanswered(reason: "timeout"))
        _ = relay
        let broken = Self.relay(ScriptedProcessor(), over: BrokenJournal(inner: journal, breaksTransition: true))
        await #expect(throws: NotificationError.journal(BrokenJournal.broken)) {
            try await broken.apply(.sample(.charge(.purchase), .captured), request: "f")
        }
    }

    @Test("R11: not_processed is corrected when the processor proves that it has the order")
    func correctsNotProcessedWhenTheProcessorHasTheOrder() async throws {
        let relay = try await relay(charge: .unanswered(reason: "timeout"))
        _ = try await journal.transition(
            "A", from: .uncertain, receipt: [1], because: HistoryEntry(at: Date(), state: .notProcessed))
        _ = try await relay.apply(.sample(.charge(.purchase), .captured), request: "f")
        #expect(await journal.payment("A")?.state == .captured)
        #expect(await journal.history(of: "A").last?.reason == "the request reached the processor after all")
    }

    /// R12: a message counts only for payments of the account that signed it.
    @Test(
        "R12: a message of another account changes nothing",
        arguments: [
            ProcessorNotification.Subject.charge(.purchase), .operation(.refund, maintenanceReference: nil),
            .operation(.capture, maintenanceReference: nil), .operation(.voidAuthorization, maintenanceReference: nil),
        ])
    func aMessageOfAnotherAccountChangesNothing(subject: ProcessorNotification.Subject) async throws {
        for charge in [ProcessorReport.unanswered(reason: "timeout"), .answered(ProcessorAnswer(.captured))] {
            let journal = MemoryJournal()
            let relay = Self.relay(ScriptedProcessor(onCharge: { _ in charge }), over: journal)
            _ = try await relay.pay(.sample("A"))
            let before = await journal.payment("A")
            for meaning in [ProcessorAnswer.Meaning.captured, .authorized, .declined, .voided, .refunded] {
                let application = try await relay.apply(
                    .sample(subject, meaning, signedBy: "other"), request: "f")
                guard case .implausible(let implausibility) = application else {
                    Issue.record("\(meaning) was \(application)")
                    continue
                }
                #expect(implausibility.kind == .otherAccount)
            }
            #expect(await journal.payment("A") == before)
        }
    }

    /// R14: what cannot be true of the payment is refused before anything is journaled, and blocks nothing.
    @Test(
        "R14: an amount that the payment cannot have changes nothing",
        arguments: [0, 10_001, 9_999_999_999] as [MinorUnits])
    func ignoresAnAmountThatThePaymentCannotHave(amount: MinorUnits) async throws {
        let relay = try await relay(charge: .answered(ProcessorAnswer(.authorized)))
        let before = await journal.payment("A")
        for command in [OperationCommand.capture, .refund] {
            let subject = ProcessorNotification.Subject.operation(command, maintenanceReference: nil)
            let application = try await relay.apply(.sample(subject, command.success, amount: amount), request: "f")
            guard case .implausible = application else {
                Issue.record("\(command) was \(application)")
                continue
            }
        }
        #expect(await journal.payment("A") == before)
        #expect(try await relay.perform(.sample(.capture)).operation.state == .done)
    }

    @Test("R14: a message with an unreadable number changes nothing") func ignoresAnUnreadableNumber() async throws {
        let relay = try await relay(charge: .unanswered(reason: "timeout"))
        let notification = ProcessorNotification(
            account: "main", merchantReference: "A", subject: .charge(.purchase), amount: nil, currency: "AED",
            answer: ProcessorAnswer(meaning: .captured, unreadableNumber: "amount", summary: [:], response: [:]))
        let application = try await relay.apply(notification, request: "f")
        #expect(
            application
                == .implausible(.init(kind: .unreadableNumber, detail: "its amount is missing or is not an amount")))
        #expect(await journal.payment("A")?.state == .uncertain)
    }

    @Test("R14: a notification of a purchase changes no authorization") func ignoresAnotherCommand() async throws {
        let relay = try await relay(charge: .unanswered(reason: "timeout"))
        let application = try await relay.apply(.sample(.charge(.authorization), .authorized), request: "f")
        guard case .implausible(let implausibility) = application else {
            Issue.record("it was \(application)")
            return
        }
        #expect(implausibility.kind == .otherCommand)
        #expect(await journal.payment("A")?.state == .uncertain)
    }

    /// Seed 003: the merchant's app may pay through FORT's own SDK, and one receiver serves both integrations.
    @Test func recordsAPaymentMadeElsewhere() async throws {
        let processor = ScriptedProcessor(onQuery: { _ in
            .answered(ProcessorAnswer(.refunded, totals: Balance(captured: 10_000, refunded: 4_000)))
        })
        let relay = Self.relay(processor, over: journal)
        let charge = ProcessorNotification.sample(.charge(.purchase), .captured, of: "SDK-1")
        #expect(try await relay.apply(charge, request: "f") == .recorded)
        for _ in 0..<2 { #expect(try await relay.apply(charge, request: "f") == .applied) }
        let payment = try #require(await journal.payment("SDK-1"))
        #expect(payment.isMadeElsewhere && payment.state == .captured && payment.account == "main")
        #expect(payment.balance == Balance(captured: 10_000) && payment.receipt != nil)
        let event = try #require(
            await journal.history(of: "SDK-1").first?.event.map { String(decoding: $0, as: UTF8.self) })
        #expect(event.contains(#""made_elsewhere":true"#) && event.contains("payment.captured"))

        _ = try await relay.apply(
            .sample(.operation(.refund, maintenanceReference: nil), .refunded, of: "SDK-1", amount: 4_000),
            request: "f")
        await Reconciler(relay: relay, logger: .silent).workOff()
        #expect(await journal.payment("SDK-1")?.state == .partiallyRefunded)
        await #expect(throws: PaymentRefusal.referenceTaken) { try await relay.pay(.sample("SDK-1")) }
    }

    @Test func recordsNoPaymentWithoutItsAmount() async throws {
        let relay = Self.relay(ScriptedProcessor(), over: journal)
        for notification in [
            ProcessorNotification.sample(.operation(.refund, maintenanceReference: nil), .refunded),
            .sample(.charge(.purchase), .pending(reason: "on hold")),
            .sample(.charge(.purchase), .captured, amount: .zero),
            .sample(.charge(.purchase), .captured, of: String(repeating: "A", count: 41)),
        ] {
            #expect(try await relay.apply(notification, request: "f") == .unknown)
        }
        #expect(await journal.entries.isEmpty)
    }

    /// One whose payment A is authorized, and whose processor's totals show nothing more.
    private func authorizedRelay(now: @escaping @Sendable () -> Date) async throws -> PaymentRelay {
        let processor = ScriptedProcessor(
            onCharge: { _ in .answered(ProcessorAnswer(.authorized)) },
            onQuery: { _ in .answered(ProcessorAnswer(.authorized, totals: Balance())) })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, processor: processor,
            logger: .silent, now: now)
        _ = try await relay.pay(.sample("A"))
        return relay
    }

    private func relay(charge: ProcessorReport) async throws -> PaymentRelay {
        let relay = Self.relay(ScriptedProcessor(onCharge: { _ in charge }), over: journal)
        _ = try await relay.pay(.sample("A"))
        return relay
    }

    private static func relay(_ processor: ScriptedProcessor, over journal: any Journal) -> PaymentRelay {
        PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60), recordsEvents: true), journal: journal,
            processor: processor, logger: .silent)
    }
}

extension ProcessorNotification {
    fileprivate static func sample(
        _ subject: Subject, _ meaning: ProcessorAnswer.Meaning, of reference: String = "A", amount: MinorUnits = 10_000,
        currency: String = "AED", signedBy account: String = "main"
    ) -> ProcessorNotification {
        ProcessorNotification(
            account: account, merchantReference: reference, subject: subject, amount: amount, currency: currency,
            answer: ProcessorAnswer(meaning))
    }

    fileprivate static func sample(refundOf amount: MinorUnits) -> ProcessorNotification {
        sample(.operation(.refund, maintenanceReference: nil), .refunded, amount: amount)
    }
}
