import Foundation
import JournalContract
import PayrelayPrimitives
import Synchronization
import Testing

@testable import PaymentRelay

/// The merchant chooses the names of accounts, so after a restart a name can belong to another merchant's account. A payment
/// belongs to the merchant that charged it.
@Suite struct OtherMerchantTests {
    let journal = MemoryJournal()

    private func relay(_ gateway: ScriptedGateway, observe: @escaping @Sendable (RelayEvent) -> Void = { _ in })
        -> PaymentRelay
    {
        // The first query that finds nothing ends an open payment.
        PaymentRelay(
            policy: .init(
                verifier: nil, notFoundAfter: .zero, operationNotFoundAfter: .zero, overdueAfter: .zero),
            journal: journal, gateways: .only(gateway), logger: .silent, observe: observe)
    }

    /// Pays two orders as the merchant `M1`: one without an answer, and one that is captured.
    private func payAsTheFirstMerchant() async throws {
        let first = relay(ScriptedGateway(onCharge: { _ in .unknown(reason: "timeout") }))
        _ = try await first.pay(.sample("OPEN", token: 1))
        _ = try await relay(ScriptedGateway()).pay(.sample("PAID", token: 2))
    }

    @Test("R12: a payment keeps the merchant that charged it")
    func keepsTheMerchant() async throws {
        try await payAsTheFirstMerchant()
        for reference in ["OPEN", "PAID"] {
            #expect(await journal.payment(reference)?.merchantIdentifier == "M1")
        }
    }

    @Test("R12: nothing is sent to another merchant about an open payment, which stays open")
    func asksNobodyElse() async throws {
        try await payAsTheFirstMerchant()
        let other = ScriptedGateway(merchant: "M9", onQuery: { _ in .answered(GatewayAnswer(.notFound)) })
        let relay = relay(other)
        let before = try #require(await journal.payment("OPEN"))
        #expect(try await relay.sync("OPEN")?.state == .uncertain)
        await Reconciler(relay: relay, logger: .silent).workOff()
        let after = try #require(await journal.payment("OPEN"))
        #expect(after.state == .uncertain && after.version == before.version)
        #expect(await other.queries.isEmpty)
        let queries = try await relay.queriesWithoutChange(of: "OPEN")
        #expect(!queries.isEmpty && queries.allSatisfy { $0.answer == .notSent })
        #expect(queries.allSatisfy { $0.reason?.contains("another merchant") == true })
        #expect(try await relay.summary().payments.overdue == 1)
        let open = try await relay.openPaymentsWithoutAccount()
        #expect(open.map(\.account) == ["fort main"] && open.map(\.payments) == [1])
        #expect(open.first?.references == ["OPEN"])
        #expect(open.first?.unavailability == .otherMerchant(was: "M1", now: "M9"))
    }

    @Test(
        "R12: nothing of a closed payment is captured, refunded or voided at another merchant, and nothing is recorded")
    func movesNoMoneyElsewhere() async throws {
        try await payAsTheFirstMerchant()
        let other = ScriptedGateway(merchant: "M9")
        let relay = relay(other)
        let before = await journal.payment("PAID")
        for command in OperationCommand.allCases {
            let refusal = await #expect(throws: OperationRefusal.self) {
                try await relay.perform(OperationRequest(merchantReference: "PAID", command: command, identifier: "r"))
            }
            guard case .notSent(let reason) = refusal else {
                Issue.record("\(command) was refused with \(refusal.map { "\($0)" } ?? "nothing")")
                continue
            }
            #expect(reason.contains("another merchant"))
        }
        #expect(await other.operations.isEmpty)
        #expect(await journal.payment("PAID") == before)
    }

    @Test(
        "R12: an operation that was done is replayed whoever has the account's name, and one at the merchant goes through"
    )
    func replaysAndGoesOn() async throws {
        try await payAsTheFirstMerchant()
        let refund = OperationRequest(
            merchantReference: "PAID", command: .refund, amount: 100, idempotencyKey: "k", identifier: "r")
        let done = try await relay(ScriptedGateway()).perform(refund)
        let again = try await relay(ScriptedGateway(merchant: "M9")).perform(refund)
        #expect(again.isReplay && again.operation == done.operation)
    }

    /// Feedback that is signed by the new merchant's keys names the account, because the new merchant's account has this name.
    @Test(
        "R12: a hint of another merchant under the account's name settles and changes nothing, whatever that merchant has",
        arguments: [GatewayAnswer.Meaning.captured, .declined, .notFound, .refunded])
    func hintOfAnotherMerchant(meaning: GatewayAnswer.Meaning) async throws {
        try await payAsTheFirstMerchant()
        let seen = Mutex<[Contradiction]>([])
        let answer = GatewayAnswer(meaning, totals: Balance(captured: 10_000), reference: "9")
        let other = ScriptedGateway(
            merchant: "M9", onQuery: { _ in .answered(answer) }, onUnknown: { _, _ in .answered(answer) })
        let relay = relay(other) { if case .contradicted(let kind) = $0 { seen.withLock { $0.append(kind) } } }
        for reference in ["OPEN", "PAID"] {
            let before = await journal.payment(reference)
            for statement in [GatewayHint.Statement.captured, .declined, .refunded] {
                let hint = GatewayHint(
                    account: "main", merchantReference: reference, subject: .charge(.purchase), statement: statement,
                    amount: 10_000, currency: "AED", gatewayReference: "9")
                #expect(try await !relay.knows(hint))
                #expect(try await relay.record(hint, kind: .direct))
                await Investigator(relay: relay, logger: .silent).workOff()
            }
            var after = await journal.payment(reference)
            if let lease = before?.lease { after?.lease = lease }
            #expect(after == before)
        }
        // The relay queried the new merchant's account as it queries any other account: by the reference, about a charge of
        // that account.
        #expect(await other.queries.allSatisfy { $0.hasPrefix("main ") })
        if answer.meaning == .captured { #expect(seen.withLock { $0.contains(.chargeInOtherAccount) }) }
    }

    @Test("R12: an external payment keeps its merchant, and does not keep another merchant's order from being paid")
    func externalPayments() async throws {
        let proven = GatewayAnswer(.captured, captured: 10_000, totals: Balance(captured: 10_000), reference: "1")
        let first = relay(ScriptedGateway(onUnknown: { _, _ in .answered(proven) }))
        let hint = GatewayHint(
            account: "main", merchantReference: "SDK", subject: .charge(.purchase), statement: .captured,
            amount: 10_000, currency: "AED", gatewayReference: "1")
        #expect(try await first.record(hint, kind: .direct))
        await Investigator(relay: first, logger: .silent).workOff()
        #expect(await journal.payment("SDK")?.merchantIdentifier == "M1")
        // For the first merchant, an order with this reference is the external payment.
        await #expect(throws: PaymentRefusal.referenceTaken(differing: nil)) { try await first.pay(.sample("SDK")) }
        let other = relay(ScriptedGateway(merchant: "M9"))
        #expect(try await other.pay(.sample("SDK")).payment.state == .captured)
        #expect(await journal.payment("SDK")?.merchantIdentifier == "M9")
    }

    @Test("open payments of several accounts and merchants are counted apart, with at most ten references each")
    func counts() async throws {
        let first = relay(ScriptedGateway(onCharge: { _ in .unknown(reason: "timeout") }))
        for number in 1...12 { _ = try await first.pay(.sample("A\(number)", token: number)) }
        let second = relay(ScriptedGateway(merchant: "M5", onCharge: { _ in .unknown(reason: "timeout") }))
        _ = try await second.pay(.sample("B", token: 20))
        #expect(try await second.openPaymentsWithoutAccount().map(\.payments) == [12])
        let third = relay(ScriptedGateway(merchant: "M9"))
        let open = try await third.openPaymentsWithoutAccount()
        #expect(open.map(\.payments).sorted() == [1, 12])
        #expect(open.map(\.references.count).sorted() == [1, PaymentsWithoutAccount.referenceLimit])
        let renamed = relay(ScriptedGateway(account: "new"))
        #expect(
            try await renamed.openPaymentsWithoutAccount().map(\.unavailability) == [.notConfigured])
    }
}
