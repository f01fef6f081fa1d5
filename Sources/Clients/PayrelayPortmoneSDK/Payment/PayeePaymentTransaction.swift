import PayrelayPrimitives

/// A payment to a company. Only a ``PayeePaymentService`` makes one.
public struct PayeePaymentTransaction: PaymentTransaction {
    let payment: Payment

    init(_ payment: Payment) {
        self.payment = payment
    }

    /// Of the company.
    public var payeeId: String { payment.payeeId }
    /// That pays.
    public var card: MasterpassCard { payment.proposal.card }
    /// In hryvnias, without the commission.
    public var billAmount: Double { payment.proposal.amount.hryvnias }
    /// In hryvnias.
    public var commission: Double { payment.commission.hryvnias }
    /// Once it is paid.
    public var bill: Bill? { payment.bill }
}
