// swift-format-ignore-file
// The samples of Portmone's page, unchanged, with stubs for the views of an app.
import Foundation
import PayrelayPortmoneSDK

@MainActor
class BaseViewController {
    var onAlert: (String, String?) -> Void = { _, _ in }
    var onSegue: (String) -> Void = { _ in }

    func presentAlert(title: String, message: String?, handler: ((Int) -> Void)? = nil) {
        onAlert(title, message)
        handler?(0)
    }

    func performSegue(withIdentifier identifier: String, sender: Any?) { onSegue(identifier) }
}

@MainActor
final class TextField { var text: String? }

final class AuthorizationViewController: BaseViewController {
    private let confirmCardSegue: String? = "ConfirmCard"

    func authorize() {
let service = AuthorizationService()
service.authorize(phone: "380666789555",
                  userId:"3714123") { [weak self] isSuccess, error in
            if error != nil {
                let code = (error as NSError?)?.code
                switch code {
                case 2113?:
                    self?.performSegue(withIdentifier: self?.confirmCardSegue ?? "",
sender: self)

                default:
                    self?.presentAlert(title: "Error \(code ?? 0)",
                                       message: error?.localizedDescription)
                }
            } else {
                self?.presentAlert(title: "Success",
                                   message: "Authorization success.") { _ in
                    self?.performSegue(withIdentifier: "Functionality", sender: nil)
                }
            }
        }
    }
}

final class AddCardViewController: BaseViewController {

    private let confirmPhoneSegue: String? = "ConfirmPhone"
    private let confirmCardSegue: String? = "ConfirmCard"
    private let cardService = CardsService()

    private weak var cardName: TextField!
    private weak var cardNumber: MfsTextField!
    private weak var expireMonth: TextField!
    private weak var expireYear: TextField!
    private weak var cvv: MfsTextField!

    init(cardName: TextField, cardNumber: MfsTextField, expireMonth: TextField, expireYear: TextField, cvv: MfsTextField) {
        self.cardName = cardName
        self.cardNumber = cardNumber
        self.expireMonth = expireMonth
        self.expireYear = expireYear
        self.cvv = cvv
    }

    func viewDidLoad() {
        cardNumber.setType(1)
        cardNumber.maxLength = 20
        cardNumber.placeholder = "Card No"
        cardNumber.keyboardType = .numberPad
        cardNumber.clear()

        cvv.setType(3)
        cvv.maxLength = 3
        cvv.placeholder = "cvv"
        cvv.keyboardType = .numberPad
        cvv.clear()
    }

    func addCardButtonClicked() {
        let card = MfsCard()
        card.cardName = cardName.text
        card.expireMonth = expireMonth.text
        card.expireYear = expireYear.text

        cardService.addMasterpassCard(card: card,
                                      cardNumber: cardNumber,
                                      cvv: cvv) { [weak self] isSuccess, error in
            if error != nil {
                let code = (error as NSError?)?.code
                switch code {
                case 2113?:
                    self?.performSegue(withIdentifier: self?.confirmCardSegue ?? "",
sender: self)

                case 2114?:
                    self?.performSegue(withIdentifier: self?.confirmPhoneSegue ?? "",
sender: self)

                default:
                    self?.presentAlert(title: "Error \(code ?? 0)",
                                       message: error?.localizedDescription)
                }
            } else {
                self?.presentAlert(title: "Success",
                                   message: "Add card success.")
            }
        }
    }
}

final class CardsViewController: BaseViewController {
    var cards: [MasterpassCard]?
    var payees: [Payee]?

    func sampleCard() -> MfsCard {
let card = MfsCard()
card.cardName = "СardName"
card.expireMonth = "03"
card.expireYear = "20"
        return card
    }

    func load() {
let cardService = CardsService()
cardService.getMasterpassCards { cards, error in
            if cards != nil {
                self.cards = cards
                self.onSegue("cards")
            } else {
                let code = (error as NSError?)?.code
                self.presentAlert(title: "Error \(code ?? 0)",
                                  message: error?.localizedDescription)
            }
        }
    }

    func delete() {
let cardService = CardsService()
cardService.deleteMasterpassCard(cardName: "SomeCardName") { isSuccess, error in
                if isSuccess {
                    self.presentAlert(title: "Success",
                                      message: "SomeCardName card deleted.")
                } else {
                    let code = (error as NSError?)?.code
                    self.presentAlert(title: "Error \(code ?? 0)",
                                      message: error?.localizedDescription)
                }
            }
    }

    func loadPayees() {
let payeeService = PayeeService()
payeeService.getPayees { models, error in
            if models != nil {
                self.payees = models
                self.onSegue("payees")
            } else {
                let code = (error as NSError?)?.code
                self.presentAlert(title: "Error \(code ?? 0)",
                                  message: error?.localizedDescription)
            }
        }
    }
}

final class ConfirmCodeViewController: BaseViewController {
    private let service = CardsService()
    let confirmCode: MfsTextField

    init(confirmCode: MfsTextField) { self.confirmCode = confirmCode }

    func viewDidLoad() {
confirmCode.setType(2)
confirmCode.maxLength = 6
confirmCode.placeholder = "PIN"
confirmCode.keyboardType = .numberPad
confirmCode.clear()
    }

    func confirm() {
        service.validateCode(code: confirmCode) { isSuccess, error in
            if isSuccess {
                self.presentAlert(title: "Success", message: nil)
            } else {
                self.presentAlert(title: "Error \((error as NSError?)?.code ?? 0)",
                                  message: error?.localizedDescription)
            }
        }
    }
}

final class Confirm3DCodeViewController: BaseViewController {

    var webView: PortmoneWebView?
}
