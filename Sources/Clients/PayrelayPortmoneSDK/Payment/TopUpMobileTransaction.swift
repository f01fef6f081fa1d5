import PayrelayPrimitives

/// A payment to a mobile phone account. Only a ``TopUpMobileService`` makes one.
public struct TopUpMobileTransaction: PaymentTransaction {
    let payment: Payment

    init(_ payment: Payment) {
        self.payment = payment
    }

    /// That pays.
    public var card: MasterpassCard { payment.proposal.card }
    /// In hryvnias, without the commission.
    public var billAmount: Double { payment.proposal.amount.hryvnias }
    /// Whose account is topped up.
    public var phoneNumber: String {
        if case .phone(let number) = payment.proposal.recipient { number } else { "" }
    }
    /// In hryvnias.
    public var commission: Double { payment.commission.hryvnias }
    /// Of the phone's operator.
    public var payeeId: String { payment.payeeId }
    /// Once it is paid.
    public var bill: Bill? { payment.bill }
}
