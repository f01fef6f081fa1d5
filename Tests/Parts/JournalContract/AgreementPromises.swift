import Foundation
import PaymentRelay
import PayrelayPrimitives
import TestPrograms
import Testing

extension JournalPromise {
    static let agreement: [JournalPromise] = [
        JournalPromise("after random claims, records and outcomes in any order, all journals answer the same") {
            journal async throws in
            let reference = MemoryJournal()
            var chance = SeededGenerator(seed: 20_261_122)
            for number in 0..<400 {
                let step = Step.random(number, using: &chance)
                let expected = try await step.take(in: reference)
                let answer = try await step.take(in: journal)
                #expect(answer == expected, "step \(number), \(step)")
                try await expectSame(step.merchantReference, in: journal, as: reference)
                guard answer == expected else { return }
            }
            for name in Step.references { try await expectSame(name, in: journal, as: reference) }
            #expect(try await journal.openPayments(limit: 99) == reference.openPayments(limit: 99))
            #expect(try await journal.eventSummary() == reference.eventSummary())
        }
    ]

    private static func expectSame(
        _ merchantReference: String, in journal: any Journal, as reference: MemoryJournal
    ) async throws {
        #expect(try await journal.payment(merchantReference) == reference.payment(merchantReference))
        #expect(try await journal.history(of: merchantReference) == reference.history(of: merchantReference))
    }
}

/// One call of a journal. References, tokens and keys are so few that calls collide.
private enum Step {
    case claim(Change)
    case record(Payment, HistoryEntry)
    case settle(String, from: PaymentState, receipt: [UInt8]?, HistoryEntry)

    enum Answer: Equatable {
        case claim(CommitResult)
        case isWritten(Bool)
    }

    static let references = ["A", "B", "C", "D", "E", "F"]

    var merchantReference: String {
        switch self {
        case .claim(let claim): claim.after.merchantReference
        case .record(let payment, _): payment.merchantReference
        case .settle(let reference, _, _, _): reference
        }
    }

    static func random(_ number: Int, using chance: inout SeededGenerator) -> Step {
        func one<Value>(of values: [Value], else rest: Value) -> Value { values.randomElement(using: &chance) ?? rest }
        let reference = one(of: references, else: "A")
        let moment = Date.wholeSecond + Double(number)
        let account = one(of: [nil, "aed", "kwd"], else: nil)
        switch Int.random(in: 0..<10, using: &chance) {
        case 0..<5:
            return .claim(
                .sample(
                    reference, token: one(of: [1, 2, 3, 4, 5, 6, 7], else: 1),
                    key: one(of: [nil, nil, "k", "l"], else: nil),
                    at: moment, leasedFor: .seconds(30), account: account, client: one(of: [nil, "shop"], else: nil)))
        case 5:
            let balance = Balance(captured: 500)
            let payment = Payment(
                merchantReference: reference, command: .purchase, amount: 500, currency: "KWD", fingerprint: nil,
                appleTransactionIdentifier: nil, claimedAt: moment, gateway: "fort", account: account,
                state: .captured,
                balance: balance, receipt: [7])
            return .record(payment, HistoryEntry(at: moment, state: .captured, balance: balance, event: [8]))
        default:
            let state = one(of: [.notSent, .notSent, .uncertain, .captured, .declined], else: PaymentState.notSent)
            let entry = HistoryEntry(
                at: moment, state: state, balance: Balance(captured: state == .captured ? 400 : 0),
                reason: one(of: [nil, "because"], else: nil), requestIdentifier: "r\(number)",
                event: one(of: [nil, [UInt8(truncatingIfNeeded: number)]], else: nil))
            return .settle(
                reference, from: one(of: [.processing, .processing, .uncertain], else: PaymentState.processing),
                receipt: one(of: [nil, [1, 2]], else: nil), entry)
        }
    }

    func take(in journal: any Journal) async throws -> Answer {
        switch self {
        case .claim(let claim): .claim(try await journal.claim(claim))
        case .record(let payment, let entry): .isWritten(try await journal.record(payment, because: entry))
        case .settle(let reference, let state, let receipt, let entry):
            .isWritten(try await journal.transition(reference, from: state, receipt: receipt, because: entry))
        }
    }
}
