/// Is told how a payment of a TopUpMobileService goes on, on the main actor. Each call of the service leads to one call of these; a
/// verification on a page to two.
@MainActor
public protocol TopUpMobileServiceDelegate: AnyObject {
    /// It is paid: the transaction has its bill.
    func didFinishPayment(transaction: TopUpMobileTransaction)

    /// The card is to be verified: call ``TopUpMobileService/startVerify2dCard(transaction:cvv2:)`` with this transaction.
    func paymentIsWaitingFor2dVerification(transaction: TopUpMobileTransaction)

    /// The customer is to confirm the payment on a page: show the view.
    func paymentIsWaitingFor3dVerification(webView: PortmoneWebView)

    /// The page has ended, with the payment confirmed or not: hide the view. `didFinishPayment` follows.
    func paymentIsFinishedFor3dVerification(webView: PortmoneWebView)

    /// A code was sent to the phone: call ``TopUpMobileService/finishVerify2dCard(transaction:verificationCode:)`` with this
    /// transaction.
    func verificationIsWaitingForFinish(transaction: TopUpMobileTransaction)

    /// The call failed. With 2101 the payment may have been made: the same call with the same transaction says so, and charges
    /// nothing twice.
    func didFinishPayment(with error: (any Error)?)
}
