import FoundationEssentials
import PaymentRelay
import PayrelayPrimitives
import PortmoneAPI

/// The relay's knowledge about the payment to which an order's bills belong.
struct KnownPayment {
    /// The number of the payment's bill; `nil` if it is not known.
    let gatewayReference: String?
    let amount: MinorUnits
    /// Whether the whole amount is captured at once: the payment is a purchase.
    let isCapturedWhole: Bool
    /// Whether an answer has proven a hold.
    var wasHeld = false
    var balance = Balance()
    var openOperation: PaymentOperation?
    /// Whether the outcome of the charge or of an operation is still unknown.
    var isOpen = true

    init(_ payment: Payment) {
        gatewayReference = payment.gatewayReference
        amount = payment.amount
        isCapturedWhole = payment.isCapturedWhole
        wasHeld = [.authorized, .voided].contains(payment.state)
        balance = payment.balance
        openOperation = payment.openOperation
        isOpen = payment.isOpen
    }

    /// Describes a charge that was just sent.
    ///
    /// - Parameter bill: the bill number in the answer to the charge; `nil` if the answer names none.
    init(charging order: Order, bill: String?) {
        gatewayReference = bill
        amount = order.amount
        isCapturedWhole = order.command == .purchase
    }
}

/// Maps the state of an order at Portmone to an answer about the payment.
///
/// The answer claims no more than `result` proves. The sources are recorded answers of Portmone's older
/// interface. They show a partial return as an entry with a negative amount and a number of its own, beside PAYED
/// with the whole amount. No source shows a partial capture. So these rules apply:
/// - While a capture is open, PAYED proves the amount that was captured, even if another amount was requested.
/// - PAYED with another amount than an already known capture proves nothing.
/// - RETURN with the bill's own amount proves that money was given back, but not how much.
/// - Entries with negative amounts prove their sum if each has its own number. Otherwise they prove only the
///   largest amount.
/// - A refund that `result` does not show stays open until the period of ``UnseenReturn`` has passed.
struct MeaningOfOrders {
    /// The known payment; `nil` if only a notification says that there is one.
    let payment: KnownPayment?
    let unseenReturn: UnseenReturn
    let moment: Date

    func answer(to state: OrderState) -> GatewayAnswer {
        switch state {
        case .notFound: GatewayAnswer(.notFound, entry: nil, reference: payment?.gatewayReference)
        case .open(let bill, _):
            // Only the charge's own answer says to whom an unpaid bill belongs; see ``ThreeDSecureClosing``.
            GatewayAnswer(
                .pending(reason: "Portmone has the order, undecided (\(bill.status?.rawValue ?? "unknown status"))"),
                entry: bill.entry, reference: payment?.gatewayReference)
        case .rejected(let bills): rejected(bills)
        case .held(let bill):
            // PREAUTH proves that nothing was captured, so the totals are zero.
            GatewayAnswer(
                .authorized, entry: bill.entry, reference: bill.shopBillID, authorized: bill.amount, totals: Balance())
        case .paid(let bill, let returned): paid(bill, returned)
        case .returned(let bill): self.returned(bill)
        case .onlyReturns(let entry, let returned): onlyReturns(entry, returned)
        case .withoutCurrency(let bill):
            GatewayAnswer(
                .pending(
                    reason:
                        "Portmone says \(bill.status?.rawValue ?? "an unknown status") and no currency: no amount is proven"
                ),
                entry: bill.entry, reference: payment?.gatewayReference)
        case .chargedSeveralTimes(let bills): severalTimes(bills)
        }
    }

    /// Returns the answer to an order whose bills are all REJECTED.
    ///
    /// REJECTED means that the charge failed or that the hold was released. The order may have bills of several
    /// attempts:
    /// - If the number of the payment's bill is known, only that bill counts. If it is missing, the order counts
    ///   as not found.
    /// - If the number is not known, the last bill counts. The core treats such an answer as one that may be
    ///   about an earlier attempt, and waits for the payment's bill to appear.
    private func rejected(_ bills: [ProvenEntry]) -> GatewayAnswer {
        let known = known(among: bills)
        if known == nil, payment?.gatewayReference != nil { return answer(to: .notFound) }
        let wasHeld = payment?.wasHeld ?? false
        let bill = known ?? bills.last
        // REJECTED proves that nothing was captured.
        return GatewayAnswer(
            wasHeld ? .voided : .declined, entry: bill?.entry, reference: bill?.shopBillID, totals: Balance())
    }

    /// Returns the payment's bill; `nil` if its number is not known, or if it is not among the bills.
    private func known(among bills: [ProvenEntry]) -> ProvenEntry? {
        bills.first { $0.shopBillID != nil && $0.shopBillID == payment?.gatewayReference }
    }

    private func open(_ bill: ProvenEntry, _ reason: String) -> GatewayAnswer {
        GatewayAnswer(.pending(reason: reason), entry: bill.entry, reference: bill.shopBillID)
    }

    // MARK: Money that was taken

    private func paid(_ bill: ProvenEntry, _ returned: ReturnedAmount?) -> GatewayAnswer {
        let captured = bill.amount ?? .zero
        if let known = knownCapture, known != captured {
            return open(
                bill, "Portmone says PAYED over \(captured), and \(known) was captured: what was taken is not proven")
        }
        let shown = returned?.amount ?? .zero
        if let reason = whyRefundIsOpen(showing: shown, isAll: returned?.isSum ?? true) { return open(bill, reason) }
        // `result` may show a return days after the return's own answer has proven it.
        let refunded = max(shown, payment?.balance.refunded ?? .zero)
        return GatewayAnswer(
            returned == nil ? .captured : .refunded, entry: bill.entry, reference: bill.shopBillID, captured: captured,
            // If no payment is known, PAYED does not prove that nothing was given back.
            totals: payment == nil && returned == nil ? nil : Balance(captured: captured, refunded: refunded))
    }

    /// The captured amount of a hold, as an earlier answer proved it; `nil` if none is known.
    private var knownCapture: MinorUnits? {
        guard let payment, !payment.isCapturedWhole, payment.balance.captured > .zero else { return nil }
        return payment.balance.captured
    }

    /// Returns the reason why an open refund stays open. Returns `nil` if no refund is open, if `result`
    /// shows the refund, or if `result` would show it by now.
    ///
    /// A `result` that shows less than the amount that is already proven to be given back is out of date. It does
    /// not end a refund, however old the refund is.
    private func whyRefundIsOpen(showing refunded: MinorUnits, isAll: Bool) -> String? {
        guard let payment, let open = payment.openOperation, open.command == .refund, let after = open.after,
            refunded < after.refunded
        else { return nil }
        let proven = payment.balance.refunded
        guard isAll else { return "Portmone says that at least \(refunded) was given back, and not how much" }
        guard refunded >= proven else {
            return "Portmone shows that \(refunded) was given back, which is behind the \(proven) that are proven"
        }
        return unseenReturn.isFinal(open, at: moment) ? nil : "Portmone does not show the refund yet"
    }

    // MARK: Money that was given back

    /// Returns the answer to a bill in RETURN with its own amount.
    ///
    /// The answer proves an open refund only if that refund is about the whole captured amount and nothing was
    /// given back before it.
    private func returned(_ bill: ProvenEntry) -> GatewayAnswer {
        guard let payment, payment.balance.captured > .zero else {
            return open(bill, "Portmone says RETURN, and not how much was given back")
        }
        let whole = Balance(captured: payment.balance.captured, refunded: payment.balance.captured)
        let isWhole = payment.openOperation.map {
            $0.command == .refund && $0.before.refunded == .zero && $0.after == whole
        }
        return GatewayAnswer(
            .refunded, entry: bill.entry, reference: payment.gatewayReference ?? bill.shopBillID,
            totals: isWhole ?? false ? whole : nil)
    }

    private func onlyReturns(_ entry: ProvenEntry, _ returned: ReturnedAmount) -> GatewayAnswer {
        guard let payment, let captured = provenCapture(of: payment, returned) else {
            // The entry's number is not used as the reference, because a return may have a number of its own.
            return GatewayAnswer(
                .pending(reason: "Portmone shows the returned amount, but not the captured one"), entry: entry.entry,
                reference: payment?.gatewayReference)
        }
        if let reason = whyRefundIsOpen(showing: returned.amount, isAll: returned.isSum) { return open(entry, reason) }
        return GatewayAnswer(
            .refunded, entry: entry.entry, reference: payment.gatewayReference, captured: captured,
            totals: Balance(captured: captured, refunded: returned.amount))
    }

    /// Returns the captured amount that follows from a return; `nil` if none follows. A purchase is always
    /// captured whole.
    private func provenCapture(of payment: KnownPayment, _ returned: ReturnedAmount) -> MinorUnits? {
        if payment.balance.captured > .zero { return payment.balance.captured }
        return payment.isCapturedWhole || returned.amount == payment.amount ? payment.amount : nil
    }

    // MARK: Several bills

    /// Returns the answer to an order with several bills that have money. Their amounts are never added up. The
    /// first rule that applies decides:
    ///
    /// - If no payment is known, the answer stays undecided.
    /// - If the open operation is a refund, the answer stays undecided: no entry says to which bill a return
    ///   belongs.
    /// - While the charge or an operation of the payment is open, the answer is about the payment's bill. If that
    ///   is not known, it is about the first bill with the payment's amount, or else about the first bill.
    /// - If nothing is open, the answer is about another bill than the payment's, and the core records a second
    ///   charge.
    private func severalTimes(_ bills: [ProvenEntry]) -> GatewayAnswer {
        let known = known(among: bills)
        let others = bills.filter { $0.shopBillID != known?.shopBillID }
        let other = others.first { $0.amount == payment?.amount } ?? others.first
        guard let payment, let bill = (payment.isOpen ? known : other) ?? known ?? other else {
            return GatewayAnswer(
                .pending(reason: "Portmone has several paid bills of the order"), entry: bills.first?.entry,
                reference: nil)
        }
        if payment.openOperation?.command == .refund {
            return open(bill, "Portmone has several paid bills of the order: whose money was given back is not said")
        }
        switch bill.status {
        case .preauthorized: return answer(to: .held(bill))
        case .payed: return paidBeside(bill, isKnown: bill.shopBillID == known?.shopBillID)
        default: return answer(to: .returned(bill))
        }
    }

    /// Returns the answer to a paid bill beside others. If it is not the known bill, the answer has no totals:
    /// the totals of another bill are not the payment's.
    private func paidBeside(_ bill: ProvenEntry, isKnown: Bool) -> GatewayAnswer {
        isKnown
            ? paid(bill, nil)
            : GatewayAnswer(.captured, entry: bill.entry, reference: bill.shopBillID, captured: bill.amount)
    }
}
