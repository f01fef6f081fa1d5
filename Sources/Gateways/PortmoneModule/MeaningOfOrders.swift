import FoundationEssentials
import PaymentRelay
import PayrelayPrimitives
import PortmoneAPI

/// What the relay knows of the payment that an order's bills are about.
struct KnownPayment {
    /// The number of the payment's own bill; nil if unknown.
    let gatewayReference: String?
    let amount: MinorUnits
    /// Whether the payment's money is taken all at once.
    let isCapturedWhole: Bool
    /// Whether an answer has proven a hold.
    var wasHeld = false
    var balance = Balance()
    var openOperation: PaymentOperation?
    /// Whether the outcome of the charge or of an operation is not known.
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

    /// A charge that was just sent.
    ///
    /// - Parameter bill: the number that its answer named.
    init(charging order: Order, bill: String?) {
        gatewayReference = bill
        amount = order.amount
        isCapturedWhole = order.command == .purchase
    }
}

/// Maps the state of an order at Portmone to an answer about the payment.
///
/// It says no more than `result` proves. A recorded answer of Portmone's older interface shows a partial return beside PAYED with the
/// whole amount, as an entry with a negative amount and a number of its own. A partial capture is published nowhere. So:
/// - while a capture is open, PAYED proves what was taken, whatever was asked for: the amount is proof;
/// - PAYED with another amount than the capture that is known settles nothing;
/// - RETURN with the bill's own amount proves that money was given back, and not how much;
/// - negative entries prove their sum where each has its own number, otherwise their largest and nothing about the rest;
/// - a refund that does not show is open until ``UnseenReturn`` says otherwise.
struct MeaningOfOrders {
    /// Nil if only a notification says that there is a payment.
    let payment: KnownPayment?
    let unseenReturn: UnseenReturn
    let moment: Date

    func answer(to state: OrderState) -> GatewayAnswer {
        switch state {
        case .notFound: GatewayAnswer(.notFound, entry: nil, reference: payment?.gatewayReference)
        case .open(let bill, _):
            // Only the charge's own answer says whose an unpaid bill is: see ``ThreeDSecureClosing``.
            GatewayAnswer(
                .pending(reason: "Portmone has the order, undecided (\(bill.status?.rawValue ?? "unknown status"))"),
                entry: bill.entry, reference: payment?.gatewayReference)
        case .rejected(let bills): rejected(bills)
        case .held(let bill):
            // PREAUTH says that nothing was captured.
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

    /// REJECTED stands for a charge that failed and for a hold that was lifted. Of several tries, the one that is known counts: where it is
    /// not there, the others say no more than an empty list. Where none is known, the core waits for the own one.
    private func rejected(_ bills: [ProvenEntry]) -> GatewayAnswer {
        let known = known(among: bills)
        if known == nil, payment?.gatewayReference != nil { return answer(to: .notFound) }
        let wasHeld = payment?.wasHeld ?? false
        let bill = known ?? bills.last
        // REJECTED says that nothing was captured.
        return GatewayAnswer(
            wasHeld ? .voided : .declined, entry: bill?.entry, reference: bill?.shopBillID, totals: Balance())
    }

    /// The payment's own bill, where it is known and there.
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
        // Returns may show days later than their own answers prove them.
        let refunded = max(shown, payment?.balance.refunded ?? .zero)
        return GatewayAnswer(
            returned == nil ? .captured : .refunded, entry: bill.entry, reference: bill.shopBillID, captured: captured,
            // A payment of which nothing is known: PAYED does not say that nothing was given back.
            totals: payment == nil && returned == nil ? nil : Balance(captured: captured, refunded: refunded))
    }

    /// The amount that an earlier answer proves that the capture of a hold took; `nil` if none is known.
    private var knownCapture: MinorUnits? {
        guard let payment, !payment.isCapturedWhole, payment.balance.captured > .zero else { return nil }
        return payment.balance.captured
    }

    /// Returns why an open refund stays open; `nil` if no refund is open, if `result` shows it, or if it would show it by now.
    ///
    /// A `result` that shows less than what is proven to be given back is behind. It ends no refund, however old the refund is.
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

    /// Such an answer counts as proof of a whole refund that is open, if nothing was given back before it, and of no other.
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
            // A return may have a number of its own.
            return GatewayAnswer(
                .pending(reason: "Portmone shows what was given back, and not what was taken"), entry: entry.entry,
                reference: payment?.gatewayReference)
        }
        if let reason = whyRefundIsOpen(showing: returned.amount, isAll: returned.isSum) { return open(entry, reason) }
        return GatewayAnswer(
            .refunded, entry: entry.entry, reference: payment.gatewayReference, captured: captured,
            totals: Balance(captured: captured, refunded: returned.amount))
    }

    /// Returns the captured amount that a return proves; nil if it proves none. A purchase is captured whole.
    private func provenCapture(of payment: KnownPayment, _ returned: ReturnedAmount) -> MinorUnits? {
        if payment.balance.captured > .zero { return payment.balance.captured }
        return payment.isCapturedWhole || returned.amount == payment.amount ? payment.amount : nil
    }

    // MARK: Several bills

    /// The bills are never summed. While anything of the payment is open, the answer is about the bill that is known, or the first of its
    /// amount. Afterwards it is about another one, which the core records as a second charge.
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

    /// Without totals, where it is not the known bill: those of another are not the payment's.
    private func paidBeside(_ bill: ProvenEntry, isKnown: Bool) -> GatewayAnswer {
        isKnown
            ? paid(bill, nil)
            : GatewayAnswer(.captured, entry: bill.entry, reference: bill.shopBillID, captured: bill.amount)
    }
}
