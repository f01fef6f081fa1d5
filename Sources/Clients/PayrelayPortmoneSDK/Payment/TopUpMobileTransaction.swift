import PayrelayPrimitives

/// A payment to a mobile phone account. Only a ``TopUpMobileService`` creates one.
public struct TopUpMobileTransaction: PaymentTransaction {
    let payment: Payment

    init(_ payment: Payment) {
        self.payment = payment
    }

    /// The card that pays.
    public var card: MasterpassCard { payment.proposal.card }
    /// The amount in hryvnias, without the commission.
    public var billAmount: Double { payment.proposal.amount.hryvnias }
    /// The phone number whose account is topped up.
    public var phoneNumber: String {
        if case .phone(let number) = payment.proposal.recipient { number } else { "" }
    }
    /// The commission in hryvnias.
    public var commission: Double { payment.commission.hryvnias }
    /// The identifier of the phone's operator.
    public var payeeId: String { payment.payeeId }
    /// The bill; `nil` until the payment is paid.
    public var bill: Bill? { payment.bill }
}
