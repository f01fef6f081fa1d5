import PaymentRelay
import PayrelayPrimitives

/// Sums charged, refunded and voided of a payment in a period, in minor units.
struct Moved: Sendable, Equatable {
    var charged = 0
    var refunded = 0
    var voided = 0
}

/// Compares a payment in a report with the journal's record of it. Pure.
///
/// A report is about some time, and a payment's captures and refunds may lie on both sides of its ends. So a sum agrees
/// where it is the payment's whole, or what was moved in the report's time; where the clocks of both sides put an
/// operation on different sides of an end, each of them may be the one that counts.
enum PaymentComparison {
    /// - Parameters:
    ///   - payment: as the journal has it.
    ///   - moved: what was moved in the report's time, by each way to read its ends; empty to compare with the whole alone.
    static func differences(
        between reported: ReportedPayment, and payment: Payment, moved: [Moved] = []
    ) -> [Difference] {
        let states = (reported.state, payment.state.rawValue)
        let currencies = (reported.currency, payment.currency)
        func difference(
            _ kind: Difference.Kind, _ subject: Difference.Subject, _ there: Int? = nil, _ here: Int? = nil
        ) -> Difference {
            Difference(
                kind, payment.merchantReference, line: reported.line, subject, states: states, amounts: (there, here),
                currencies: currencies)
        }
        let (amount, balance) = (payment.amount.value, payment.balance)
        let whole = Moved(
            charged: balance.captured.value, refunded: balance.refunded.value,
            voided: payment.state == .voided ? amount : 0)
        let ways = [whole] + moved

        if reported.hasSuccess, reported.currency != payment.currency { return [difference(.currency, .charge)] }
        guard payment.state.isSuccess else {
            guard reported.hasSuccess else { return [] }
            return [difference(.state, .charge, reported.hasCharge ? reported.charged : nil, whole.charged)]
        }
        // A capture, a void or a refund that failed says nothing about the charge.
        if reported.hasFailedCharge, !reported.hasSuccess { return [difference(.state, .charge, 0, whole.charged)] }
        if let authorized = reported.authorized, authorized != amount {
            return [difference(.amount, .charge, authorized, amount)]
        }
        if payment.state == .voided, reported.charged > 0 {
            return [difference(.state, .charge, reported.charged, 0)]
        }
        if reported.purchased > 0 {
            if whole.charged == 0 { return [difference(.state, .charge, reported.purchased, 0)] }
            if reported.purchased != amount { return [difference(.amount, .charge, reported.purchased, amount)] }
        }

        var differences: [Difference] = []
        func compare(
            _ subject: Difference.Subject, _ command: OperationCommand, _ there: Int, _ part: KeyPath<Moved, Int>
        ) {
            let here = whole[keyPath: part]
            guard !ways.contains(where: { $0[keyPath: part] == there }) else { return }
            let kind: Difference.Kind =
                if there > here {
                    payment.openOperation?.command == command ? .state : .operationUnknownHere
                } else {
                    there == 0 ? .unknownThere : .amount
                }
            differences.append(difference(kind, subject, there, here))
        }
        compare(.capture, .capture, reported.charged, \.charged)
        compare(.refund, .refund, reported.refunded, \.refunded)
        // Beside captured money, a void lifts the rest of the hold, which moves nothing here.
        let liftsRest = whole.charged > 0 && whole.charged < amount
        compare(.void, .voidAuthorization, reported.isVoided && !liftsRest ? amount : 0, \.voided)
        return differences
    }

    /// Returns the sums moved by the entries of a history that `isIncluded` accepts.
    static func moved(in history: [HistoryEntry], of payment: Payment, when isIncluded: (HistoryEntry) -> Bool) -> Moved
    {
        var sum = Moved()
        var (state, balance): (PaymentState?, Balance) = (nil, Balance())
        for entry in history {
            if isIncluded(entry) {
                sum.charged += max(0, entry.balance.captured.value - balance.captured.value)
                sum.refunded += max(0, entry.balance.refunded.value - balance.refunded.value)
                if entry.state == .voided, state != .voided { sum.voided += payment.amount.value }
            }
            (state, balance) = (entry.state, entry.balance)
        }
        return sum
    }
}

extension PaymentState {
    /// Whether the processor said that the charge succeeded, whatever became of the money since.
    fileprivate var isSuccess: Bool {
        switch self {
        case .authorized, .partiallyCaptured, .captured, .voided, .partiallyRefunded, .refunded: true
        case .processing, .notSent, .declined, .uncertain, .notProcessed: false
        }
    }
}
