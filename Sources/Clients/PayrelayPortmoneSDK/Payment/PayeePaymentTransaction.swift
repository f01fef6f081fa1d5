import PayrelayPrimitives

/// A payment to a company. Only a ``PayeePaymentService`` creates one.
public struct PayeePaymentTransaction: PaymentTransaction {
    let payment: Payment

    init(_ payment: Payment) {
        self.payment = payment
    }

    /// The identifier of the company.
    public var payeeId: String { payment.payeeId }
    /// The card that pays.
    public var card: MasterpassCard { payment.proposal.card }
    /// The amount in hryvnias, without the commission.
    public var billAmount: Double { payment.proposal.amount.hryvnias }
    /// The commission in hryvnias.
    public var commission: Double { payment.commission.hryvnias }
    /// The bill; `nil` until the payment is paid.
    public var bill: Bill? { payment.bill }
}
