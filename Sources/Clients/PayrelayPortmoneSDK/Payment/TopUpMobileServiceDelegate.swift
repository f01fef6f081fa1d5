/// Receives the progress of payments of a TopUpMobileService, on the main actor. Each call of the service leads
/// to one call of the delegate; a verification on a page leads to two.
@MainActor
public protocol TopUpMobileServiceDelegate: AnyObject {
    /// Called when the payment is paid. The transaction has its bill.
    func didFinishPayment(transaction: TopUpMobileTransaction)

    /// Called when the card must be verified. Call ``TopUpMobileService/startVerify2dCard(transaction:cvv2:)``
    /// with this transaction.
    func paymentIsWaitingFor2dVerification(transaction: TopUpMobileTransaction)

    /// Called when the customer must confirm the payment on a page. Show the view.
    func paymentIsWaitingFor3dVerification(webView: PortmoneWebView)

    /// Called when the page has ended, whether the payment was confirmed or not. Hide the view.
    /// `didFinishPayment` follows.
    func paymentIsFinishedFor3dVerification(webView: PortmoneWebView)

    /// Called when a code was sent to the phone. Call
    /// ``TopUpMobileService/finishVerify2dCard(transaction:verificationCode:)`` with this transaction.
    func verificationIsWaitingForFinish(transaction: TopUpMobileTransaction)

    /// Called when the call failed. With the error 2101, the payment may have been made. A repeated call with the
    /// same transaction returns its outcome, and charges nothing twice.
    func didFinishPayment(with error: (any Error)?)
}
