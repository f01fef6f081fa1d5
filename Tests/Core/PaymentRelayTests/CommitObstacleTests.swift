import Foundation
import JournalContract
import PayrelayPrimitives
import Testing

@testable import PaymentRelay

/// The rule that every journal applies. `ClaimPromises.swift`, in the contract, tests that journals apply it.
@Suite struct CommitObstacleTests {
    private let claim = Change.sample("A", token: 1, key: "k", account: "aed", client: "shop")

    @Test("R2: a reference of a payment that was sent, or may have been, is taken", arguments: PaymentState.allCases)
    func refusesTheReferenceOfAnyPaymentButOneThatWasNotSent(state: PaymentState) {
        let known = payment(state, client: "shop")
        #expect(conflict(with: known) == (state == .notSent ? nil : .referenceTaken(known)))
    }

    @Test("R1, R2: the reference of an archived payment is taken for ever", arguments: PaymentState.allCases)
    func refusesTheReferenceOfAnArchivedPayment(state: PaymentState) {
        for isMadeElsewhere in [false, true] {
            var known = payment(state, account: "kwd", client: "shop", isMadeElsewhere: isMadeElsewhere)
            known.archivedVersion = 1
            #expect(conflict(with: known) == .referenceTaken(known))
        }
    }

    @Test("S7: if a payment was not sent, only its own client can claim it again")
    func keepsThePaymentOfAnotherClient() {
        for client in ["bank", nil] {
            let known = payment(.notSent, client: client)
            #expect(conflict(with: known) == .referenceTaken(known))
        }
    }

    @Test("R12: an external payment keeps its reference only from its own account")
    func keepsThePaymentMadeElsewhereFromItsOwnAccount() {
        let own = payment(.captured, account: "aed", isMadeElsewhere: true)
        #expect(conflict(with: own) == .referenceTaken(own))
        #expect(conflict(with: payment(.captured, account: "kwd", isMadeElsewhere: true)) == nil)
    }

    @Test("R12: an external payment keeps its reference while an operation on it is open")
    func keepsThePaymentWithAnOpenOperation() {
        for state in PaymentOperation.State.allCases {
            var known = payment(.captured, account: "kwd", isMadeElsewhere: true)
            known.operations = [.sample(.refund, 1, state, before: Balance(captured: 7))]
            #expect(conflict(with: known) == (state.isOpen ? .referenceTaken(known) : nil))
        }
    }

    @Test("R13: a token pays one order") func refusesATokenThatIsUsed() {
        for known in [nil, payment(.notSent, client: "shop")] {
            #expect(conflict(with: known) == nil)
            #expect(conflict(with: known, isTokenUsed: true) == .tokenTaken)
        }
    }

    @Test(
        "R1: a claim whose key belongs to another request is refused, whatever else it says",
        arguments: [KeyUse(of: "B"), KeyUse(of: "B", operation: "1"), KeyUse(of: "A", operation: "1")])
    func refusesAKeyOfAnotherRequest(use: KeyUse) {
        for known in [nil, payment(.notSent, client: "shop"), payment(.captured, client: "shop")] {
            for isTokenUsed in [false, true] {
                #expect(conflict(with: known, keyUse: use, isTokenUsed: isTokenUsed) == .keyTaken)
            }
        }
        let withoutKey = Change.sample("A", token: 1)
        #expect(withoutKey.obstacle(known: nil, keyUse: { _ in use }, isTokenUsed: { false }) == nil)
    }

    @Test("R3: a claim with the key of its own payment's charge repeats the charge")
    func findsThePaymentOfItsOwnKey() {
        let known = payment(.captured, client: "shop")
        #expect(conflict(with: known, keyUse: KeyUse(of: "A")) == .referenceTaken(known))
    }

    @Test("S6: the reference of a record that cannot be read is taken") func keepsAnUnreadableRecord() {
        let record = UnreadableRecord(merchantReference: "A", column: "amount")
        let obstacle = claim.obstacle(known: .failure(record), keyUse: { _ in nil }, isTokenUsed: { false })
        #expect(obstacle == .recordUnreadable(record))
    }

    @Test func looksUpTheTokenOnlyForAReferenceThatCanBeClaimed() {
        let known = payment(.captured, client: "shop")
        _ = claim.obstacle(known: .success(known), keyUse: { _ in nil }) {
            Issue.record("looked up the token")
            return true
        }
    }

    @Test(
        "a change of a payment with another version is refused, and so is a claim with the reference of an archived payment"
    )
    func refusesAnotherVersion() {
        var known = payment(.notSent, client: "shop")
        let again = claim.following(known)
        let note = known.noting(.note, "n", on: Occasion(at: .wholeSecond, origin: Origin(.recovery, request: nil)))
        for change in [again, note] {
            #expect(change.after.version == known.version + 1)
            #expect(obstacle(of: change, with: known) == nil)
            #expect(obstacle(of: change, with: nil) == .versionChanged)
        }
        known.archivedVersion = 1
        #expect(obstacle(of: again, with: known) == .versionChanged)
        #expect(obstacle(of: note, with: known) == nil)
        known.version += 1
        for change in [again, note] { #expect(obstacle(of: change, with: known) == .versionChanged) }
    }

    /// Returns the obstacle to the claim, or to the claim that follows the known payment, if that payment can be claimed again.
    private func conflict(
        with known: Payment?, keyUse: KeyUse? = nil, isTokenUsed: Bool = false
    ) -> CommitResult? {
        let obstacle = obstacle(of: claim, with: known, keyUse: keyUse, isTokenUsed: isTokenUsed)
        guard case .referenceTaken(let taken)? = obstacle, taken.canBeClaimedAgain(by: claim) else { return obstacle }
        return self.obstacle(of: claim.following(taken), with: known, keyUse: keyUse, isTokenUsed: isTokenUsed)
    }

    private func obstacle(
        of change: Change, with known: Payment?, keyUse: KeyUse? = nil, isTokenUsed: Bool = false
    ) -> CommitResult? {
        change.obstacle(
            known: known.map { .success($0) }, keyUse: { $0 == "k" ? keyUse : nil }, isTokenUsed: { isTokenUsed })
    }

    private func payment(
        _ state: PaymentState, account: String? = nil, client: String? = nil, isMadeElsewhere: Bool = false
    ) -> Payment {
        Payment(
            merchantReference: "A", command: .authorization, amount: 7, currency: "AED",
            fingerprint: isMadeElsewhere ? nil : RequestFingerprint(bytes: [1]), appleTransactionIdentifier: nil,
            claimedAt: .wholeSecond, gateway: "fort", account: account, client: client, state: state)
    }
}
