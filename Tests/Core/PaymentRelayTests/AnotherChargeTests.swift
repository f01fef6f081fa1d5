import JournalContract
import Logging
import PayrelayPrimitives
import Testing

@testable import PaymentRelay

/// A gateway that has two charges with one reference, and answers a query by reference about the other one.
@Suite struct AnotherChargeTests {
    private let journal = MemoryJournal()

    /// - Parameters:
    ///   - other: the answer about the reference.
    ///   - own: the answer about the number "1", which the answer to the charge named.
    private func relay(
        other: GatewayAnswer, own: Outcome<GatewayAnswer>, told: GatewayAnswer? = nil
    ) -> (PaymentRelay, ScriptedGateway) {
        let told = told ?? GatewayAnswer(.pending(reason: "not confirmed"), reference: "1")
        let gateway = ScriptedGateway(
            onCharge: { _ in .answered(told) }, onQuery: { _ in .answered(other) },
            onNumber: { number in number == "1" ? own : .answered(GatewayAnswer(.notFound)) })
        return (
            PaymentRelay(
                policy: .init(verifier: nil, notFoundAfter: .zero, recordsEvents: true), journal: journal,
                gateways: .only(gateway), logger: .silent), gateway
        )
    }

    @Test(
        "R10: a charge whose number is known is settled by the answer about this number, whatever another charge says",
        arguments: [
            GatewayAnswer(.declined, totals: Balance(), reference: "2"),
            GatewayAnswer(.voided, authorized: 10_000, totals: Balance(), reference: "2"),
            GatewayAnswer(.authorized, authorized: 10_000, totals: Balance(), reference: "2"),
            GatewayAnswer(.refunded, totals: Balance(captured: 10_000, refunded: 10_000), reference: "2"),
            GatewayAnswer(.captured, totals: Balance(captured: 10_000), reference: "2"),
        ])
    func isSettledByItsOwnNumber(other: GatewayAnswer) async throws {
        let (relay, gateway) = relay(other: other, own: .answered(.paid(reference: "1")))
        #expect(try await relay.pay(.sample("A")).payment.state == .uncertain)
        let payment = try #require(try await relay.sync("A"))
        #expect(payment.state == .captured && payment.gatewayReference == "1")
        #expect(await gateway.queries.contains("A 1"))
        // The other charge is money, too, unless it shows none.
        let kinds = await journal.history(of: "A").map(\.kind)
        #expect(kinds.contains(.contradiction(.secondCharge)) == other.isOfCharge)
    }

    @Test("R10: while nothing is known of the payment's own number, another charge does not settle it")
    func staysOpenWithoutItsOwnAnswer() async throws {
        for own in [.unknown(reason: "timeout"), .answered(GatewayAnswer(.pending(reason: "asked about another")))]
            as [Outcome<GatewayAnswer>]
        {
            let (relay, _) = relay(other: .paid(reference: "2"), own: own)
            _ = try? await relay.pay(.sample("A"))
            #expect(try await relay.sync("A")?.state == .uncertain)
        }
    }

    @Test("R10: a number from a query gives way to money under another number, and is queried before anything else")
    func moneyIsProof() async throws {
        let gateway = ScriptedGateway(
            onCharge: { _ in .unknown(reason: "timeout") },
            onQuery: { payment in
                .answered(
                    payment.gatewayReference == nil
                        ? GatewayAnswer(.pending(reason: "in review"), reference: "1") : .paid(reference: "2"))
            }, onNumber: { _ in .answered(GatewayAnswer(.declined, totals: Balance(), reference: "1")) })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(86_400)), journal: journal, gateways: .only(gateway),
            logger: .silent)
        _ = try await relay.pay(.sample("A"))
        #expect(try await relay.sync("A")?.gatewayReference == "1")
        let payment = try #require(try await relay.sync("A"))
        #expect(payment.state == .captured && payment.gatewayReference == "2")
        #expect(await gateway.queries == ["A", "A", "A 1"])
    }

    @Test("R11: while an answer about another charge of a declined payment names no amount, the hint about it waits")
    func waitsForTheAmountOfAnotherCharge() async throws {
        let gateway = ScriptedGateway(
            onCharge: { _ in .answered(GatewayAnswer(.declined, reference: "1")) },
            onQuery: { _ in .answered(GatewayAnswer(.captured, reference: "2")) },
            onNumber: { number in
                .answered(GatewayAnswer(number == "1" ? .declined : .captured, reference: number))
            })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(86_400)), journal: journal, gateways: .only(gateway),
            logger: .silent)
        #expect(try await relay.pay(.sample("A")).payment.state == .declined)
        let hint = GatewayHint(
            account: "main", merchantReference: "A", subject: .charge(.purchase), statement: .captured, amount: 10_000,
            currency: "AED", gatewayReference: "2")
        let pending = PendingHint(
            hint: hint, kind: .direct, isMixed: false, charges: ["2"], times: 1, queriesInVain: 0,
            leaseExpiresAt: .wholeSecond)
        let (end, _) = try await relay.investigate(pending)
        guard case .postponed = end else {
            Issue.record("the charge would be forgotten: \(end)")
            return
        }
    }

    @Test("S14: while the outcome is open, a hint waits for a real second charge, and not for an invented number")
    func dropsAnInventedNumber() async throws {
        let pending = GatewayAnswer(.pending(reason: "not confirmed"), reference: "1")
        let gateway = ScriptedGateway(
            onCharge: { _ in .answered(pending) }, onQuery: { _ in .answered(pending) },
            onNumber: { number in
                .answered(number == "2" ? .paid(reference: "2") : GatewayAnswer(.notFound, reference: number))
            })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(86_400)), journal: journal, gateways: .only(gateway),
            logger: .silent)
        _ = try await relay.pay(.sample("A"))
        for (number, isReal) in [("9", false), ("2", true)] {
            let hint = GatewayHint(
                account: "main", merchantReference: "A", subject: .charge(.purchase), statement: .captured,
                amount: 10_000, currency: "AED", gatewayReference: number)
            let (end, _) = try await relay.investigate(
                PendingHint(
                    hint: hint, kind: .direct, isMixed: false, charges: [number], times: 1, queriesInVain: 0,
                    leaseExpiresAt: .wholeSecond))
            let isPostponed = if case .postponed = end { true } else { false }
            #expect(isPostponed == isReal, "\(end)")
            #expect(await journal.payment("A")?.state == .uncertain)
        }
    }

    @Test("R14: a second operation that stays undecided in the same words is in the history, too")
    func notesEachUndecidedOperation() async throws {
        let gateway = ScriptedGateway(
            onCharge: { _ in .answered(GatewayAnswer(.captured, reference: "1")) },
            onQuery: { _ in .answered(GatewayAnswer(.declined, reference: "1")) },
            onOperation: { _ in .unknown(reason: "timeout") })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .zero, operationNotFoundAfter: .zero), journal: journal,
            gateways: .only(gateway), logger: .silent)
        _ = try await relay.pay(.sample("A"))
        for name in ["first", "second"] {
            _ = try await relay.perform(.sample(.refund, amount: 2_020, reference: name))
            for _ in 0..<3 { _ = try await relay.sync("A") }
            let undecided = await journal.history(of: "A").filter { $0.kind == .contradiction(.undecided) }
            #expect(undecided.count == (name == "first" ? 1 : 2))
            _ = try await relay.resolve(
                ResolutionRequest(
                    merchantReference: "A", resolution: .notProcessed, amount: 2_020, confirmation: 2_020,
                    reason: try OperatorNote("APS said so"),
                    by: OperatorRequest(operatorName: "sara", identifier: "r", permitted: [.resolvePayment]),
                    basis: nil))
        }
    }
}
