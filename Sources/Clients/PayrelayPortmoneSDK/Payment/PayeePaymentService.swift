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

    /// - Parameter delegate: gets the progress of payments. It is held weakly.
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

    /// Asks for the commission of a payment: its first step.
    ///
    /// - Parameters:
    ///   - payeeId: the ``Payee/payeeId`` of the company.
    ///   - completion: called once, on the main actor, with the transaction for
    ///     ``proceedPayment(paymentParams:transaction:)``. Errors are 2000, 2004, 2010, 2013, 2016, 2017 and 2018.
    public func getCommission(
        commissionParams: CommissionParams, payeeId: String, completion: @escaping PayeePaymentCompletion
    ) {
        flow.quote(commissionParams, completion: completion) { () throws(PortmoneError) in
            guard !payeeId.isEmpty else { throw .payeeIdEmpty }
            return .payee(payeeId)
        }
    }

    /// Pays. The delegate gets the outcome, or the verification that is needed first.
    ///
    /// A repeated call with the same transaction and parameters gives the same outcome and charges nothing.
    ///
    /// - Parameter transaction: of ``getCommission(commissionParams:payeeId:completion:)``; another one is 2008.
    public func proceedPayment(paymentParams: PaymentParams, transaction: PayeePaymentTransaction) {
        flow.proceed(transaction, with: paymentParams)
    }

    /// Verifies the card by its code; a code is then sent to the phone.
    ///
    /// - Parameters:
    ///   - transaction: of the delegate's `paymentIsWaitingFor2dVerification`; another one is 2007.
    ///   - cvv2: three digits.
    public func startVerify2dCard(transaction: PayeePaymentTransaction, cvv2: String) {
        flow.startVerification(transaction, cvv2: cvv2)
    }

    /// Ends the verification, and with it the payment.
    ///
    /// - Parameters:
    ///   - transaction: of the delegate's `verificationIsWaitingForFinish`; another one is 2014.
    ///   - verificationCode: that was sent to the phone.
    public func finishVerify2dCard(transaction: PayeePaymentTransaction, verificationCode: String) {
        flow.finishVerification(transaction, verificationCode: verificationCode)
    }
}
