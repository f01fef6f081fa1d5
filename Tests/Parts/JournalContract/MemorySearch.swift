import FoundationEssentials
public import PaymentRelay
import PayrelayPrimitives

extension MemoryJournal {
    public func search(_ query: PaymentQuery) -> PaymentPage {
        let found = entries.values.filter { query.describes($0) }.map(\.payment)
            .sorted { query.place($1) < query.place($0) }
        let page = Array(found.prefix(query.limit))
        let next = found.count > page.count ? page.last : nil
        return PaymentPage(
            payments: page, next: next.map { PaymentCursor(at: $0.claimedAt, merchantReference: $0.merchantReference) })
    }

    public func totals(of query: PaymentQuery) -> PaymentTotals {
        var query = query
        query.after = nil
        let found = Dictionary(grouping: entries.values.filter { query.describes($0) }.map(\.payment), by: \.currency)
        return PaymentTotals(
            sums: found.sorted { $0.key < $1.key }.map { currency, payments in
                PaymentTotals.Sum(
                    currency: currency, count: payments.count,
                    amount: payments.reduce(0) { $0 + $1.amount.value },
                    captured: payments.reduce(0) { $0 + $1.balance.captured.value },
                    refunded: payments.reduce(0) { $0 + $1.balance.refunded.value })
            }, lookedAt: nil)
    }
}

extension PaymentQuery {
    /// Returns the place of a payment in the order of a search. Its time has milliseconds, as in every journal.
    fileprivate func place(_ payment: Payment) -> (Int, String) {
        (EpochMilliseconds(payment.claimedAt).milliseconds, payment.merchantReference)
    }

    fileprivate func describes(_ entry: MemoryJournal.Entry) -> Bool {
        let payment = entry.payment
        return isPossible && (searchedClient == nil || payment.client == searchedClient)
            && (searchedWithMadeElsewhere == nil || payment.isMadeElsewhere
                || payment.client == searchedWithMadeElsewhere)
            && (merchantReference == nil || payment.merchantReference == merchantReference)
            && payment.merchantReference.lowercasedASCII.utf8
                .starts(with: (merchantReferencePrefix ?? "").lowercasedASCII.utf8)
            && (gatewayReference == nil || payment.gatewayReference == gatewayReference)
            && (appleTransactionIdentifier == nil || payment.appleTransactionIdentifier == appleTransactionIdentifier)
            && (cardLastFour == nil || payment.cardLastFour == cardLastFour
                || payment.customer.cardLastFour == cardLastFour)
            && (emailDigest == nil || payment.emailDigest == emailDigest)
            && (phoneDigest == nil || payment.customer.phoneDigest == phoneDigest)
            && (nameDigest == nil || payment.customer.nameDigest == nameDigest)
            && (cardNumber?.isIn(payment.summary) ?? true) && (responseCode?.isIn(payment.summary) ?? true)
            && (authorizationCode?.isIn(payment.summary) ?? true)
            && (cardNetwork.map { $0.isIn(payment.summary) || $0.isValue(payment.customer.cardNetwork) } ?? true)
            && (changedFrom.map { moment in entry.history.contains { $0.at >= moment && $0.source != .retention } }
                ?? true)
            && (amounts?.contains(payment.amount) ?? true)
            && (amountInAnyCurrency?.describes(payment.amount, payment.currency) ?? true)
            && (currency == nil || payment.currency == currency)
            && (outcome == nil || payment.state == outcome)
            && (command == nil || payment.command == command)
            && (gateway == nil || payment.gateway == gateway)
            && (account == nil || payment.account == account)
            && (claimedFrom.map { payment.claimedAt >= $0 } ?? true)
            && (claimedTo.map { payment.claimedAt < $0 } ?? true)
            && (after.map { place(payment) < (EpochMilliseconds($0.at).milliseconds, $0.merchantReference) } ?? true)
            && (!needsAttention || payment.openSince.map { !notOverdueIn.contains($0) } ?? false
                || entry.events.isDeadLettered)
    }
}

extension AnsweredText {
    /// Whether the line of a list has this value.
    fileprivate func isIn(_ summary: JSONObject) -> Bool {
        names.contains { isValue(summary[$0]?.stringValue) }
    }

    fileprivate func isValue(_ text: String?) -> Bool { text?.isSame(ignoringCaseOf: value) ?? false }
}

extension AmountInAnyCurrency {
    /// Whether a payment of this amount matches.
    fileprivate func describes(_ amount: MinorUnits, _ currency: String) -> Bool {
        Currency(code: currency).map { byExponent[$0.exponent] == amount } ?? false
    }
}
