import PayrelayPrimitives

/// The data of a payment that both kinds of transaction share, with the call that returned the transaction.
struct Payment: Sendable {
    /// The call of the service or of the delegate that returned a transaction.
    enum Origin: Sendable {
        case getCommission
        case proceedPayment
        case startVerify2dCard
        /// The payment is paid. No further call accepts the transaction.
        case finished
    }

    let id: PaymentID
    /// The session in which the payment was created.
    let session: WalletSession
    let proposal: ProposedPayment
    let payeeId: String
    let commission: MinorUnits
    var origin: Origin
    var bill: Bill?

    /// Returns the same payment for a transaction that another call returns.
    func handedOut(by origin: Origin, bill: Bill? = nil) -> Payment {
        var payment = self
        payment.origin = origin
        payment.bill = bill
        return payment
    }
}

/// A transaction in the SDK's interface.
protocol PaymentTransaction: Sendable {
    var payment: Payment { get }
    init(_ payment: Payment)
}
