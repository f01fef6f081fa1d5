import FoundationEssentials
import PaymentRelay
import PayrelayPrimitives

/// Sums authorized, charged, refunded and voided of a payment in a period, in minor units.
struct Moved: Sendable, Hashable {
    var authorized = 0
    var charged = 0
    var refunded = 0
    var voided = 0
}

/// Compares what a report says of a payment in a period with what the journal recorded in that period. Pure.
///
/// - A sum agrees if it is what moved in the period, not if it is the payment's whole amount: a report that repeats another day's
///   charge is wrong.
/// - The journal records a movement when the relay learns of it, which may be long after the gateway made it. So each movement happened
///   in a span of time (``movements(in:of:)``). If a span lies across an end of the period, the movement may be in the report or not.
/// - A payment's movements follow each other here and at the gateway. So what is in the period is one stretch of them.
enum PaymentComparison {
    /// - Parameters:
    ///   - payment: as the journal has it.
    ///   - moved: what moved in the period by the times of the journal.
    ///   - alternatives: other sums that the report may have as well.
    static func differences(
        between reported: ReportedPayment, and payment: Payment, moved: Moved, or alternatives: Set<Moved> = []
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

        if reported.hasSuccess, reported.currency != payment.currency { return [difference(.currency, .charge)] }
        guard payment.state.isSuccess else {
            guard reported.hasSuccess else { return [] }
            return [difference(.state, .charge, reported.hasCharge ? reported.charged : nil, whole.charged)]
        }
        // A capture, a void or a refund that failed says nothing about the charge.
        if !reported.hasSuccess, reported.hasFailedCharge || reported.isUnpaid && payment.state != .voided {
            return [difference(.state, .charge, 0, whole.charged)]
        }
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
        func agrees(_ there: Int, _ part: KeyPath<Moved, Int>) -> Bool {
            moved[keyPath: part] == there || alternatives.contains { $0[keyPath: part] == there }
        }
        func compare(
            _ subject: Difference.Subject, _ command: OperationCommand, _ there: Int, _ part: KeyPath<Moved, Int>
        ) {
            let here = moved[keyPath: part]
            guard !agrees(there, part) else { return }
            let kind: Difference.Kind =
                if there < here {
                    there == 0 ? .unknownThere : .amount
                } else if payment.openOperation?.command == command {
                    .state
                } else {
                    there <= whole[keyPath: part] ? .otherTime : .operationUnknownHere
                }
            differences.append(difference(kind, subject, there, here))
        }
        // Not the other way round: what is held, and was not captured, may be missing in a report.
        if let authorized = reported.authorized, !agrees(authorized, \.authorized) {
            differences.append(difference(.otherTime, .charge, authorized, moved.authorized))
        }
        let isPurchase = reported.purchased > 0 || payment.command == .purchase && reported.captured == 0
        compare(isPurchase ? .charge : .capture, .capture, reported.charged, \.charged)
        compare(.refund, .refund, reported.refunded, \.refunded)
        // Beside captured money, a void lifts the rest of the hold, which moves nothing here.
        let liftsRest = whole.charged > 0 && whole.charged < amount
        // A line without money does not say when the hold was lifted.
        if !liftsRest, !reported.isUnpaid {
            compare(.void, .voidAuthorization, reported.isVoided ? amount : 0, \.voided)
        }
        return differences
    }

    /// What one entry of a payment's history moved, and when.
    struct DatedMovement: Equatable {
        let moved: Moved
        /// From when the gateway may have made the movement, to when the journal recorded it.
        let span: ClosedRange<Date>
    }

    /// Returns the movements of a payment, oldest first.
    ///
    /// A movement's span begins with the request that made it: the charge's claim, the operation's beginning. If the relay made no such
    /// request and learned of the movement from a query, the span begins with the movement before it.
    static func movements(in history: [HistoryEntry], of payment: Payment) -> [DatedMovement] {
        var movements: [DatedMovement] = []
        var (state, balance, isCharged): (PaymentState?, Balance, Bool) = (nil, Balance(), false)
        for entry in history {
            var moved = Moved()
            moved.charged = max(0, entry.balance.captured.value - balance.captured.value)
            moved.refunded = max(0, entry.balance.refunded.value - balance.refunded.value)
            if entry.state == .voided, state != .voided { moved.voided = payment.amount.value }
            if entry.state.isSuccess, !isCharged { (moved.authorized, isCharged) = (payment.amount.value, true) }
            (state, balance) = (entry.state, entry.balance)
            guard moved != Moved() else { continue }
            let request = payment.operations.last { $0.state == .done && $0.changedAt == entry.at }?.begunAt
            let isLearned = entry.source?.asker != nil || movements.isEmpty
            let earliest = request ?? (isLearned ? movements.last?.span.upperBound ?? payment.claimedAt : entry.at)
            movements.append(DatedMovement(moved: moved, span: min(earliest, entry.at)...entry.at))
        }
        return movements
    }

    /// Returns every sum that a report of a period may have: of each stretch of the movements that has all of those which happened in the
    /// period, and none that did not.
    ///
    /// - Parameter margin: how far the clocks of both sides may be apart, in seconds.
    static func possibleSums(of movements: [DatedMovement], in period: Range<Date>, margin: Double) -> Set<Moved> {
        let (start, end) = (period.lowerBound, period.upperBound)
        let isCertain = movements.map { $0.span.lowerBound >= start + margin && $0.span.upperBound < end - margin }
        let isPossible = movements.map { $0.span.upperBound >= start - margin && $0.span.lowerBound < end + margin }
        let firstCertain = isCertain.firstIndex(of: true) ?? movements.count
        let endOfCertain = isCertain.lastIndex(of: true).map { $0 + 1 } ?? 0
        var sums: Set<Moved> = []
        for first in 0...firstCertain {
            var (sum, place) = (Moved(), first)
            while true {
                if place >= endOfCertain { sums.insert(sum) }
                guard place < movements.count, isPossible[place] else { break }
                let moved = movements[place].moved
                sum.authorized += moved.authorized
                sum.charged += moved.charged
                sum.refunded += moved.refunded
                sum.voided += moved.voided
                place += 1
            }
        }
        return sums
    }
}

extension PaymentState {
    /// Whether the gateway said that the charge succeeded, whatever became of the money since.
    fileprivate var isSuccess: Bool {
        switch self {
        case .authorized, .partiallyCaptured, .captured, .voided, .partiallyRefunded, .refunded: true
        case .processing, .notSent, .declined, .uncertain, .notProcessed: false
        }
    }
}
