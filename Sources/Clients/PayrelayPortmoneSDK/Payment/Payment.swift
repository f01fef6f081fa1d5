import PayrelayPrimitives

/// A payment as both kinds of transaction hold it, and the call that handed it out.
struct Payment: Sendable {
    /// The call, or the delegate's call, that handed a transaction out.
    enum Origin: Sendable {
        case getCommission
        case proceedPayment
        case startVerify2dCard
        /// It is paid: no further call takes it.
        case finished
    }

    let id: PaymentID
    /// The session in which it was made.
    let session: WalletSession
    let proposal: ProposedPayment
    let payeeId: String
    let commission: MinorUnits
    var origin: Origin
    var bill: Bill?

    /// The same payment as another call hands it out.
    func handedOut(by origin: Origin, bill: Bill? = nil) -> Payment {
        var payment = self
        payment.origin = origin
        payment.bill = bill
        return payment
    }
}

/// A transaction of the surface.
protocol PaymentTransaction: Sendable {
    var payment: Payment { get }
    init(_ payment: Payment)
}
