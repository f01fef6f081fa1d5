import Foundation
import JournalContract
import Logging
import Testing

@testable import PaymentRelay

/// What the processor tells by itself may come twice, late and in any order (R11).
@Suite struct FeedbackTests {
    let journal = MemoryJournal()

    @Test func feedbackSettlesAnUncertainPaymentOnce() async throws {
        let relay = try await relay(charge: .unanswered(reason: "timeout"))
        for _ in 0..<3 {
            #expect(try await relay.apply(.sample(.charge(.purchase), .captured), request: "f") == .applied)
        }
        let payment = try #require(await journal.payment("A"))
        #expect(payment.state == .captured && payment.balance == Balance(captured: 10_000))
        #expect(await journal.history(of: "A").map(\.state) == [.processing, .uncertain, .captured])
        #expect(await journal.history(of: "A").last?.requestIdentifier == "f")
    }

    @Test func feedbackNeverTakesAPaymentBackwards() async throws {
        let relay = try await relay(charge: .answered(ProcessorAnswer(.captured)))
        _ = try await relay.maintain(.sample(.refund))
        let told = await journal.payment("A")
        for meaning in [ProcessorAnswer.Meaning.authorized, .declined, .pending(reason: "x"), .captured] {
            #expect(try await relay.apply(.sample(.charge(.purchase), meaning), request: "f") == .applied)
        }
        #expect(await journal.payment("A") == told)
    }

    @Test func feedbackAboutAnotherSumOrCurrencySettlesNothing() async throws {
        let relay = try await relay(charge: .unanswered(reason: "timeout"))
        _ = try await relay.apply(.sample(.charge(.purchase), .captured, amount: 9_999), request: "f")
        _ = try await relay.apply(.sample(.charge(.purchase), .captured, currency: "USD"), request: "f")
        #expect(await journal.payment("A")?.state == .uncertain)
    }

    @Test func feedbackAboutAnUnknownPaymentIsTakenAndChangesNothing() async throws {
        let relay = try await relay(charge: .answered(ProcessorAnswer(.captured)))
        #expect(try await relay.apply(.sample(.charge(.purchase), .captured, of: "B"), request: "f") == .recorded)
        #expect(await journal.payment("B") == nil)
    }

    @Test func aPaymentThatIsBeingChargedWaitsForItsOwnAnswer() async throws {
        let processor = ScriptedProcessor(onCharge: { [journal] _ in
            let relay = Self.relay(ScriptedProcessor(), over: journal)
            _ = try? await relay.apply(.sample(.charge(.purchase), .captured), request: "f")
            return .answered(ProcessorAnswer(.captured))
        })
        let result = try await Self.relay(processor, over: journal).pay(.sample("A"))
        #expect(result.payment.state == .captured)
        #expect(await journal.history(of: "A").map(\.state) == [.processing, .captured])
    }

    @Test func feedbackOnAnOperationMadeHereChangesNothing() async throws {
        let relay = try await relay(charge: .answered(ProcessorAnswer(.captured)))
        _ = try await relay.maintain(.sample(.refund, amount: 4_000))
        let told = await journal.payment("A")
        _ = try await relay.apply(.sample(refundOf: 4_000), request: "f")
        #expect(await journal.payment("A") == told)
    }

    /// A refund from FORT's dashboard: however often it is told, it counts once, and it counts what the processor's books say.
    @Test func anOperationMadeElsewhereIsAskedAboutAndCountsOnce() async throws {
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

    @Test func feedbackThatCannotBeRecordedIsNotAcknowledged() async throws {
        let relay = try await relay(charge: .unanswered(reason: "timeout"))
        _ = relay
        let broken = Self.relay(ScriptedProcessor(), over: BrokenJournal(inner: journal, breaksMove: true))
        await #expect(throws: BrokenJournal.Broken.self) {
            try await broken.apply(.sample(.charge(.purchase), .captured), request: "f")
        }
    }

    @Test func anOrderThatWasGivenUpIsTakenBackWhenTheProcessorHasItAfterAll() async throws {
        let relay = try await relay(charge: .unanswered(reason: "timeout"))
        _ = try await journal.move(
            "A", from: .uncertain, receipt: [1], because: HistoryEntry(at: Date(), state: .notProcessed))
        _ = try await relay.apply(.sample(.charge(.purchase), .captured), request: "f")
        #expect(await journal.payment("A")?.state == .captured)
        #expect(await journal.history(of: "A").last?.reason == "the request reached the processor after all")
    }

    private func relay(charge: ProcessorReport) async throws -> PaymentRelay {
        let relay = Self.relay(ScriptedProcessor(onCharge: { _ in charge }), over: journal)
        _ = try await relay.pay(.sample("A"))
        return relay
    }

    private static func relay(_ processor: ScriptedProcessor, over journal: any Journal) -> PaymentRelay {
        PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, processor: processor,
            logger: .silent)
    }
}

extension ProcessorNotification {
    fileprivate static func sample(
        _ subject: Subject, _ meaning: ProcessorAnswer.Meaning, of reference: String = "A", amount: MinorUnits = 10_000,
        currency: String = "AED"
    ) -> ProcessorNotification {
        ProcessorNotification(
            account: "main", merchantReference: reference, subject: subject, amount: amount, currency: currency,
            answer: ProcessorAnswer(meaning))
    }

    fileprivate static func sample(refundOf amount: MinorUnits) -> ProcessorNotification {
        sample(.maintenance(.refund, maintenanceReference: nil), .refunded, amount: amount)
    }
}
