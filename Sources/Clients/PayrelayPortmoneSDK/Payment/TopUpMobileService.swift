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

    /// - Parameter delegate: gets the progress of payments. It is held weakly.
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

    /// Asks for the commission of a payment: its first step.
    ///
    /// - Parameters:
    ///   - phoneNumber: to whose account the amount goes: `380` and nine digits.
    ///   - completion: called once, on the main actor, with the transaction for
    ///     ``proceedPayment(paymentParams:transaction:)``. Errors are 2000, 2004, 2005, 2006, 2013, 2016, 2017 and 2018.
    public func getCommission(
        commissionParams: CommissionParams, phoneNumber: String, completion: @escaping TopUpCompletion
    ) {
        flow.quote(commissionParams, completion: completion) { () throws(PortmoneError) in
            .phone(try PhoneNumber(phoneNumber).text)
        }
    }

    /// Pays. The delegate gets the outcome, or the verification that is needed first.
    ///
    /// A repeated call with the same transaction and parameters gives the same outcome and charges nothing.
    ///
    /// - Parameter transaction: of ``getCommission(commissionParams:phoneNumber:completion:)``; another one is 2008.
    public func proceedPayment(paymentParams: PaymentParams, transaction: TopUpMobileTransaction) {
        flow.proceed(transaction, with: paymentParams)
    }

    /// Verifies the card by its code; a code is then sent to the phone.
    ///
    /// - Parameters:
    ///   - transaction: of the delegate's `paymentIsWaitingFor2dVerification`; another one is 2007.
    ///   - cvv2: three digits.
    public func startVerify2dCard(transaction: TopUpMobileTransaction, cvv2: String) {
        flow.startVerification(transaction, cvv2: cvv2)
    }

    /// Ends the verification, and with it the payment.
    ///
    /// - Parameters:
    ///   - transaction: of the delegate's `verificationIsWaitingForFinish`; another one is 2014.
    ///   - verificationCode: that was sent to the phone.
    public func finishVerify2dCard(transaction: TopUpMobileTransaction, verificationCode: String) {
        flow.finishVerification(transaction, verificationCode: verificationCode)
    }
}
