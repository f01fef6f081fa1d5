import FoundationEssentials
import Observability
import PaymentRelay
import PayrelayPrimitives
import RelayServer

extension Payment {
    /// Returns the payment as a row of a list, for `rows.mustache`.
    func row(of relay: PaymentRelay) -> View {
        let listing = self.listing
        let fields = relay.gateways.vocabulary[gateway]
        return [
            "reference": .text(merchantReference), "link": .text(Links.payment(merchantReference)),
            "amount": .text(Money.text(amount, currency)), "claimed": View(claimedAt, agoAt: Date()),
            "state": .text(state.label), "tone": .text(state.tone), "isOverdue": .flag(relay.isOverdue(self)),
            "isResolved": .flag(listing[ResolvedByHand.member] != nil),
            "card": View(fields.cardNumber.flatMap { listing[$0]?.stringValue }),
            "displayedCard": View(customer.cardDisplayName),
            "customer": View(customer.email ?? customer.name), "customerLink": View(customer.email.map(Links.customer)),
            "said": View(fields.message.flatMap { listing[$0]?.stringValue }),
            "client": View(client ?? (isMadeElsewhere ? "made elsewhere" : nil)),
        ]
    }
}

extension PaymentTotals.Sum {
    var view: View {
        func text(_ amount: Int) -> View { .text(Money.text(sum: amount, currency)) }
        return [
            "count": .text(count.text + (count == 1 ? " payment" : " payments")), "amount": text(amount),
            "captured": captured == 0 ? .none : text(captured), "refunded": refunded == 0 ? .none : text(refunded),
        ]
    }
}
