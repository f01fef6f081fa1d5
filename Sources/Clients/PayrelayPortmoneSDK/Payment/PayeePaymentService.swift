/// Pays a company with a card of the wallet. See Portmone's page "Masterpass iOS SDK", section 6.
///
/// ```swift
/// let service = PayeePaymentService(delegate: self)
/// service.getCommission(commissionParams: commission, payeeId: payee.payeeId) { transaction, error in
///     guard let transaction else { return show(error) }
///     service.proceedPayment(paymentParams: payment, transaction: transaction)
/// }
/// ```
@MainActor
public final class PayeePaymentService {
    private let flow: PaymentFlow<PayeePaymentTransaction>

    /// - Parameter delegate: receives the progress of payments. It is held weakly.
    public convenience init(delegate: any PayeePaymentDelegate) {
        self.init(delegate, .shared)
    }

    init(_ delegate: any PayeePaymentDelegate, _ state: SDKState) {
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
    ///   - payeeId: the ``Payee/payeeId`` of the company.
    ///   - completion: called once, on the main actor, with the transaction for
    ///     ``proceedPayment(paymentParams:transaction:)``. The errors are 2000, 2004, 2010, 2013, 2016, 2017 and
    ///     2018.
    public func getCommission(
        commissionParams: CommissionParams, payeeId: String, completion: @escaping PayeePaymentCompletion
    ) {
        flow.quote(commissionParams, completion: completion) { () throws(PortmoneError) in
            guard !payeeId.isEmpty else { throw .payeeIdEmpty }
            return .payee(payeeId)
        }
    }

    /// Pays. The delegate receives the outcome, or a verification that is required first.
    ///
    /// A repeated call with the same transaction and parameters gives the same outcome and charges nothing.
    ///
    /// - Parameter transaction: the transaction of ``getCommission(commissionParams:payeeId:completion:)``. For
    ///   any other transaction the error is 2008.
    public func proceedPayment(paymentParams: PaymentParams, transaction: PayeePaymentTransaction) {
        flow.proceed(transaction, with: paymentParams)
    }

    /// Verifies the card by its security code. Another code is then sent to the phone.
    ///
    /// - Parameters:
    ///   - transaction: the transaction of the delegate's `paymentIsWaitingFor2dVerification`. For any other
    ///     transaction the error is 2007.
    ///   - cvv2: the card's security code, three digits.
    public func startVerify2dCard(transaction: PayeePaymentTransaction, cvv2: String) {
        flow.startVerification(transaction, cvv2: cvv2)
    }

    /// Finishes the verification, and so the payment.
    ///
    /// - Parameters:
    ///   - transaction: the transaction of the delegate's `verificationIsWaitingForFinish`. For any other
    ///     transaction the error is 2014.
    ///   - verificationCode: the code that was sent to the phone.
    public func finishVerify2dCard(transaction: PayeePaymentTransaction, verificationCode: String) {
        flow.finishVerification(transaction, verificationCode: verificationCode)
    }
}
