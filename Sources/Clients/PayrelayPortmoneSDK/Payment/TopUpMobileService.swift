/// Pays a mobile phone account with a card of the wallet. See Portmone's page "Masterpass iOS SDK", section 7.
///
/// ```swift
/// let service = TopUpMobileService(delegate: self)
/// service.getCommission(commissionParams: commission, phoneNumber: "380501234567") { transaction, error in
///     guard let transaction else { return show(error) }
///     service.proceedPayment(paymentParams: payment, transaction: transaction)
/// }
/// ```
@MainActor
public final class TopUpMobileService {
    private let flow: PaymentFlow<TopUpMobileTransaction>

    /// - Parameter delegate: receives the progress of payments. It is held weakly.
    public convenience init(delegate: any TopUpMobileServiceDelegate) {
        self.init(delegate, .shared)
    }

    init(_ delegate: any TopUpMobileServiceDelegate, _ state: SDKState) {
        flow = PaymentFlow(state) { [weak delegate] news in
            switch news {
            case .finished(let transaction): delegate?.didFinishPayment(transaction: transaction)
            case .failed(let error): delegate?.didFinishPayment(with: error)
            case .waitingFor2d(let transaction): delegate?.paymentIsWaitingFor2dVerification(transaction: transaction)
            case .waitingForCode(let transaction): delegate?.verificationIsWaitingForFinish(transaction: transaction)
            case .waitingFor3d(let webView): delegate?.paymentIsWaitingFor3dVerification(webView: webView)
            case .finished3d(let webView): delegate?.paymentIsFinishedFor3dVerification(webView: webView)
            }
        }
    }

    /// Requests the commission of a payment, which is the first step of a payment.
    ///
    /// - Parameters:
    ///   - phoneNumber: the phone number whose account gets the amount: `380` and nine digits.
    ///   - completion: called once, on the main actor, with the transaction for
    ///     ``proceedPayment(paymentParams:transaction:)``. The errors are 2000, 2004, 2005, 2006, 2013, 2016,
    ///     2017 and 2018.
    public func getCommission(
        commissionParams: CommissionParams, phoneNumber: String, completion: @escaping TopUpCompletion
    ) {
        flow.quote(commissionParams, completion: completion) { () throws(PortmoneError) in
            .phone(try PhoneNumber(phoneNumber).text)
        }
    }

    /// Pays. The delegate receives the outcome, or a verification that is required first.
    ///
    /// A repeated call with the same transaction and parameters gives the same outcome and charges nothing.
    ///
    /// - Parameter transaction: the transaction of ``getCommission(commissionParams:phoneNumber:completion:)``.
    ///   For any other transaction the error is 2008.
    public func proceedPayment(paymentParams: PaymentParams, transaction: TopUpMobileTransaction) {
        flow.proceed(transaction, with: paymentParams)
    }

    /// Verifies the card by its security code. Another code is then sent to the phone.
    ///
    /// - Parameters:
    ///   - transaction: the transaction of the delegate's `paymentIsWaitingFor2dVerification`. For any other
    ///     transaction the error is 2007.
    ///   - cvv2: the card's security code, three digits.
    public func startVerify2dCard(transaction: TopUpMobileTransaction, cvv2: String) {
        flow.startVerification(transaction, cvv2: cvv2)
    }

    /// Finishes the verification, and so the payment.
    ///
    /// - Parameters:
    ///   - transaction: the transaction of the delegate's `verificationIsWaitingForFinish`. For any other
    ///     transaction the error is 2014.
    ///   - verificationCode: the code that was sent to the phone.
    public func finishVerify2dCard(transaction: TopUpMobileTransaction, verificationCode: String) {
        flow.finishVerification(transaction, verificationCode: verificationCode)
    }
}
