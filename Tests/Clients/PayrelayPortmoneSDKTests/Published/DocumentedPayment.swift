// The example of docs/portmone-sdk.md, which shows parts of it. A test compares them.
import Foundation
import PayrelayPortmoneSDK

/// Initializes the SDK, once, before every other call.
@MainActor
func initializeSDK() {
    PortmoneSDK(merchantKey: "merchant-key", clientId: "client-id")
}

@MainActor
final class Payment: PayeePaymentDelegate {
    private let cards = CardsService()
    private lazy var service = PayeePaymentService(delegate: self)
    private let show: (String) -> Void

    init(show: @escaping (String) -> Void) {
        self.show = show
    }

    func start() {
        AuthorizationService().authorize(phone: "380666789555", userId: "3715100") { [self] isSuccess, error in
            isSuccess ? addCard() : show("\(error?.localizedDescription ?? "")")
        }
    }

    private func addCard() {
        let (card, number, cvv) = (MfsCard(), MfsTextField(), MfsTextField())
        card.cardName = "MyCard"
        card.expireMonth = "03"
        card.expireYear = "40"
        number.text = "4444333322221111"
        cvv.text = "123"
        cards.addMasterpassCard(card: card, cardNumber: number, cvv: cvv) { [self] isSuccess, error in
            // 2113 and 2114 ask for a code: cards.validateCode(code:completion:).
            isSuccess ? pay() : show("\(error?.localizedDescription ?? "")")
        }
    }

    private func pay() {
        cards.getMasterpassCards { [self] cards, error in
            guard let card = cards?.first else { return show("\(error?.localizedDescription ?? "")") }
            let params = CommissionParams(card: card, billAmount: 100, merchantLogin: "login", billNumber: "1")
            service.getCommission(commissionParams: params, payeeId: "1001") { [self] transaction, error in
                guard let transaction else { return show("\(error?.localizedDescription ?? "")") }
                let params = PaymentParams(contractNumber: "123456")
                service.proceedPayment(paymentParams: params, transaction: transaction)
            }
        }
    }

    func didFinishPayment(transaction: PayeePaymentTransaction) {
        show("Paid \(transaction.billAmount) and \(transaction.commission): \(transaction.bill?.recieptUrl ?? "")")
    }

    func paymentIsWaitingFor2dVerification(transaction: PayeePaymentTransaction) {
        service.startVerify2dCard(transaction: transaction, cvv2: "123")
    }

    func verificationIsWaitingForFinish(transaction: PayeePaymentTransaction) {
        service.finishVerify2dCard(transaction: transaction, verificationCode: "333333")
    }

    // Add the view to the screen. On 3D, the customer confirms the payment there.
    func paymentIsWaitingFor3dVerification(webView: PortmoneWebView) {}

    // Remove the view.
    func paymentIsFinishedFor3dVerification(webView: PortmoneWebView) {}

    func didFinishPayment(with error: (any Error)?) {
        show("\(error?.localizedDescription ?? "")")
    }
}
