import FoundationEssentials
import PaymentRelay
import PayrelayPrimitives

/// The sums that a payment authorized, charged, refunded and voided in a period, in minor units.
struct Moved: Sendable, Hashable {
    var authorized = 0
    var charged = 0
    var refunded = 0
    var voided = 0
}

/// Compares a report's statements about a payment in a period with the journal's records of that period. Pure.
///
/// - A sum agrees if it is the amount that moved in the period, not if it is the payment's whole amount: a report
///   that repeats another day's charge is wrong.
/// - The journal records a movement when the relay learns of it, which may be long after the gateway made it. So
///   each movement happened in a time span (``movements(in:of:)``). If the span crosses a boundary of the period,
///   the report may or may not have the movement.
/// - A payment's movements have the same order in the journal and at the gateway. So the movements in the period
///   are a contiguous sequence.
enum PaymentComparison {
    /// Returns the differences between a reported payment and the journal's payment.
    ///
    /// - Parameters:
    ///   - payment: the payment as it is in the journal.
    ///   - moved: the sums that moved in the period by the journal's times.
    ///   - alternatives: other sums that the report may have, too.
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
        // A capture, void or refund that failed says nothing about the charge.
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
        // The reverse is not checked: a report may lack an authorization that was not captured.
        if let authorized = reported.authorized, !agrees(authorized, \.authorized) {
            differences.append(difference(.otherTime, .charge, authorized, moved.authorized))
        }
        let isPurchase = reported.purchased > 0 || payment.command == .purchase && reported.captured == 0
        compare(isPurchase ? .charge : .capture, .capture, reported.charged, \.charged)
        compare(.refund, .refund, reported.refunded, \.refunded)
        // If money was captured, a void releases the rest of the authorization, which moves no money in the
        // journal.
        let liftsRest = whole.charged > 0 && whole.charged < amount
        // A line without money does not say when the authorization was released.
        if !liftsRest, !reported.isUnpaid {
            compare(.void, .voidAuthorization, reported.isVoided ? amount : 0, \.voided)
        }
        return differences
    }

    /// The sums that one history entry moved, and when.
    struct DatedMovement: Equatable {
        let moved: Moved
        /// From the earliest time at which the gateway may have made the movement to the time at which the
        /// journal recorded it.
        let span: ClosedRange<Date>
    }

    /// Returns the movements of a payment, the oldest first.
    ///
    /// A movement's span begins with the request that made it: the claim of the charge, or the beginning of the
    /// operation. If the relay made no such request but learned of the movement from a query, the span begins
    /// with the previous movement.
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
            let isLearned = entry.source?.requester != nil || movements.isEmpty
            let earliest = request ?? (isLearned ? movements.last?.span.upperBound ?? payment.claimedAt : entry.at)
            movements.append(DatedMovement(moved: moved, span: min(earliest, entry.at)...entry.at))
        }
        return movements
    }

    /// Returns every sum that a report of a period may have. Each is the sum of a contiguous sequence of
    /// movements that includes all movements that certainly happened in the period, and none that certainly did
    /// not.
    ///
    /// - Parameter margin: the maximum difference between the clocks of both sides, in seconds.
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
    /// Whether the gateway stated that the charge succeeded, whatever happened to the money later.
    fileprivate var isSuccess: Bool {
        switch self {
        case .authorized, .partiallyCaptured, .captured, .voided, .partiallyRefunded, .refunded: true
        case .processing, .notSent, .declined, .uncertain, .notProcessed: false
        }
    }
}
