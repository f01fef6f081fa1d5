import Foundation
import JournalContract
import PayrelayPrimitives
import Testing

@testable import PaymentRelay

/// R11, R12: the rules for a hint, without a journal and without a gateway.
@Suite struct HintVerdictTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func payment(
        _ state: PaymentState, version: Int = 2, leased: Bool = false, operations: [PaymentOperation] = []
    ) -> Payment {
        Payment(
            merchantReference: "A", command: .purchase, amount: 10_000, currency: "AED",
            fingerprint: RequestFingerprint(bytes: [1]), appleTransactionIdentifier: nil, claimedAt: now - 60,
            gateway: "fort", account: "main", state: state,
            balance: Balance(captured: state == .captured ? 10_000 : .zero), operations: operations, version: version,
            gatewayReference: "7", lease: Lease(number: 0, expiresAt: leased ? now + 30 : now - 1))
    }

    private static func hint(
        _ subject: GatewayHint.Subject = .charge(.purchase), inVain: Int = 0, isMixed: Bool = false
    ) -> PendingHint {
        PendingHint(
            hint: GatewayHint(
                account: "main", merchantReference: "A", subject: subject, statement: .captured, amount: 10_000,
                currency: "AED", gatewayReference: nil),
            kind: .direct, isMixed: isMixed, times: 1, queriesInVain: inVain, leaseExpiresAt: now + 60)
    }

    private static func plan(_ pending: PendingHint, _ payment: Payment?, in account: String? = "main") -> HintPlan {
        HintPlan(for: pending, about: payment, in: account, at: now)
    }

    @Test("R11: a hint is queried about only if it may say something new of its payment")
    func queriesOnlyForNews() {
        let uncertain = Self.payment(.uncertain)
        #expect(Self.plan(Self.hint(), nil, in: nil) == .queryUnknown)
        #expect(Self.plan(Self.hint(), uncertain, in: "other") == .queryOtherAccount)
        #expect(Self.plan(Self.hint(), uncertain, in: nil) == .queryOtherAccount)
        #expect(Self.plan(Self.hint(), Self.payment(.processing, leased: true)) == .waitForAnswer)
        let interrupted = Self.payment(.processing)
        #expect(Self.plan(Self.hint(), interrupted) == .query(interrupted))
        let captured = Self.payment(.captured)
        #expect(Self.plan(Self.hint(), captured) == .nothing)
        #expect(Self.plan(Self.hint(isMixed: true), captured) == .query(captured))
        #expect(Self.plan(Self.hint(.operation(.refund)), captured) == .query(captured))
    }

    private static func verdict(
        _ pending: PendingHint, _ answer: QueryWithoutChange.Answer?, of payment: Payment = payment(.captured),
        before: Payment = payment(.captured), leavesTotalsUnsaid: Bool = false, wasAsked: Bool = true,
        lastArrival: Date? = nil
    ) -> HintVerdict {
        HintVerdict(
            for: pending,
            after: StatusQuery(
                payment: payment, answer: answer, leavesTotalsUnsaid: leavesTotalsUnsaid, wasAsked: wasAsked),
            about: before, lastArrival: lastArrival, at: now)
    }

    @Test("R11: a hint waits if the query says nothing about what the hint is about")
    func waitsWithoutAnAnswer() {
        let hint = Self.hint(.operation(.refund))
        #expect(Self.verdict(hint, nil, wasAsked: false) == .wait(until: Self.now + 2))
        #expect(Self.verdict(hint, nil, of: Self.payment(.processing)) == .wait(until: Self.now + 2))
        #expect(Self.verdict(hint, .unanswered) == .wait(until: Self.now + 30))
        #expect(Self.verdict(hint, .notSent) == .wait(until: Self.now + 30))
        #expect(Self.verdict(hint, .open) == .wait(until: Self.now + 30))
        #expect(Self.verdict(hint, .implausible) == .wait(until: Self.now + 900))
        for answer in [QueryWithoutChange.Answer.unchanged, .contradictory] {
            #expect(Self.verdict(hint, answer, leavesTotalsUnsaid: true) == .wait(until: Self.now + 30))
            let aboutCharge = Self.verdict(Self.hint(), answer, leavesTotalsUnsaid: true)
            #expect(aboutCharge != .wait(until: Self.now + 30))
        }
    }

    @Test("R12: a query that changes nothing doubles the cooldown of its reference, up to a minute")
    func doublesTheCooldown() {
        for (inVain, seconds) in [(0, 1), (1, 2), (5, 32), (6, 60), (1_001, 60)] as [(Int, TimeInterval)] {
            let end = HintEnd.inVain(cooldownUntil: Self.now + seconds)
            let open = Self.payment(.uncertain)
            #expect(Self.verdict(Self.hint(inVain: inVain), .unchanged) == .queryCharges(then: end))
            #expect(Self.verdict(Self.hint(inVain: inVain), .contradictory) == .queryCharges(then: end))
            #expect(Self.verdict(Self.hint(inVain: inVain), .open, of: open) == .queryCharges(then: end))
        }
    }

    @Test("R11: a hint is answered by a change, and by a contradiction that the history did not have")
    func isAnsweredByNews() {
        #expect(Self.verdict(Self.hint(), nil) == .queryCharges(then: .answered))
        let noted = Self.payment(.captured, version: 3)
        #expect(Self.verdict(Self.hint(), .contradictory, of: noted) == .queryCharges(then: .answered))
    }

    @Test("R11: while the request of an operation may still arrive, the gateway is queried again when it no longer may")
    func isQueriedOnceMore() {
        for answer in [nil, .unchanged, .contradictory] as [QueryWithoutChange.Answer?] {
            let soon = Self.verdict(Self.hint(), answer, lastArrival: Self.now + 40)
            #expect(soon == .queryCharges(then: .postponed(until: Self.now + 40)))
            let late = Self.verdict(Self.hint(), answer, lastArrival: Self.now + 4_000)
            #expect(late == .queryCharges(then: .postponed(until: Self.now + 900)))
        }
    }

    @Test("R4: an input about an earlier version of a payment counts only as far as it can be true of the present one")
    func concernsThePresentPayment() throws {
        let (sent, uncertain) = (Self.payment(.processing), Self.payment(.uncertain))
        let answer = Outcome<GatewayAnswer>.answered(GatewayAnswer(.captured))
        let inputs: [PaymentInput] = [.interrupted, .queried(answer, timeUncertain: .seconds(90)), .charged(answer)]
        let same = inputs.map { $0.concerning(sent, insteadOf: sent) }
        #expect(same == inputs)
        let atAnotherStep = inputs.map { $0.concerning(uncertain, insteadOf: sent) }
        #expect(atAnotherStep == [nil, .queried(answer, timeUncertain: .zero), .charged(answer)])
        func claimedAgain(_ state: PaymentState, account: String) -> Payment {
            Payment(
                merchantReference: "A", command: .purchase, amount: 10_000, currency: "AED",
                fingerprint: RequestFingerprint(bytes: [1]), appleTransactionIdentifier: nil,
                claimedAt: sent.claimedAt + 5, gateway: "fort", account: account, state: state)
        }
        for input in inputs {
            #expect(input.concerning(claimedAgain(.processing, account: "main"), insteadOf: sent) == nil)
            #expect(input.concerning(claimedAgain(.uncertain, account: "other"), insteadOf: sent) == nil)
        }
        let settled = claimedAgain(.notProcessed, account: "main")
        #expect(PaymentInput.charged(answer).concerning(settled, insteadOf: sent) == .charged(answer))
    }
}
