import PayrelayPrimitives

/// What both kinds of transaction are: a payment, and which call it came from.
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
    /// In which authorization it was made.
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
