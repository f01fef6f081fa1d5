import FoundationEssentials
import PayrelayPrimitives

extension MasterpassSandbox {
    /// Returns the commission: one percent, rounded up to the next kopeck.
    static func commission(on amount: MinorUnits) -> MinorUnits? { MinorUnits((amount.value + 99) / 100) }

    func quote(
        _ request: SandboxRequest, _ token: String, _ session: SandboxSession
    ) throws(SandboxError) -> JSONObject {
        let payee = try Self.payee(request)
        let amount = try request.amount()
        guard let commission = Self.commission(on: amount), amount.adding(commission) != nil else {
            throw SandboxError(2004, "with its commission it is at most 99999999.99")
        }
        guard let login = request.optional("merchantLogin") else { throw SandboxError(2017) }
        guard let number = request.optional("billNumber") else { throw SandboxError(2100, "billNumber is missing") }
        let name = request.text("cardName")
        guard let card = wallets[session.phone]?.card(named: name), card.mask.isExactly(request.text("cardBin")),
            card.lastMonth >= month
        else { throw SandboxError(2018, "the card is not one of the wallet's") }
        // The length in front makes the key unambiguous, whatever characters the login contains.
        let billKey = "\(login.utf8.count):\(login)\(number)"
        guard paidBills[billKey] == nil else { throw SandboxError(2100, "this billNumber was paid") }
        let identifier = randomName()
        payments[identifier] = SandboxPayment(
            session: token, phone: session.phone, cardName: name, amount: amount, commission: commission, payee: payee,
            billKey: billKey)
        return [
            "payment": .string(identifier), "payeeId": .string(payee.identifier), "commission": JSON(commission),
        ]
    }

    /// Returns the payee that a request names.
    ///
    /// - Throws: 2010 if the request names neither a payee nor a phone number, 2013 if the payee cannot be paid
    ///   here.
    private static func payee(_ request: SandboxRequest) throws(SandboxError) -> SandboxPayee {
        if let number = request.optional("phoneNumber") {
            guard request.optional("payeeId") == nil else { throw SandboxError(2100, "payeeId and phoneNumber") }
            _ = try phone(number)
            return .mobile
        }
        guard let identifier = request.optional("payeeId") else { throw SandboxError(2010) }
        guard let payee = SandboxPayee.with(identifier), payee.gateway == nil else { throw SandboxError(2013) }
        return payee
    }

    /// Starts a payment. A repeated request gets the same answer, and does not pay again.
    func proceed(_ request: SandboxRequest, _ token: String) throws(SandboxError) -> JSONObject {
        let (identifier, payment) = try payment(request, token, else: 2008)
        let params = SandboxPaymentParams(request)
        guard payment.state == .quoted else {
            guard payment.params == params else { throw SandboxError(2008, "it was asked for with other parameters") }
            // The customer has confirmed the payment, and the call for its outcome was lost.
            if case .waitingFor3d(_, isConfirmed: true) = payment.state {
                return try progress(of: pay(identifier, payment))
            }
            return try progress(of: payment)
        }
        try payment.payee.check(request)
        guard let card = wallets[payment.phone]?.card(named: payment.cardName) else { throw SandboxError(2018) }
        guard paidBills[payment.billKey] == nil else { throw SandboxError(2100, "this billNumber was paid") }
        var asked = payment
        asked.params = params
        switch card.verification {
        case .none: return try progress(of: pay(identifier, asked))
        case .by2d: asked.state = .waitingFor2d
        case .by3d:
            let page = randomName()
            asked.state = .waitingFor3d(page: page, isConfirmed: nil)
            pages[page] = identifier
        }
        payments[identifier] = asked
        return try progress(of: asked)
    }

    func startVerification(_ request: SandboxRequest, _ token: String) throws(SandboxError) -> JSONObject {
        var (identifier, payment) = try payment(request, token, else: 2007)
        switch payment.state {
        case .waitingFor2d: payment.state = .waitingForCode(triesLeft: SandboxCode.tries)
        // The customer gets another message, but no more attempts.
        case .waitingForCode: break
        case .failed(let error): throw error
        default: throw SandboxError(2007)
        }
        guard let cvv = request.optional("cvv2") else { throw SandboxError(2015) }
        guard SandboxCard.isCVV(cvv) else { throw SandboxError(2105) }
        if cvv.isExactly("000") {
            payment.state = .failed(SandboxError(2018))
            payments[identifier] = payment
            throw SandboxError(2018)
        }
        payments[identifier] = payment
        return [:]
    }

    func finishVerification(_ request: SandboxRequest, _ token: String) throws(SandboxError) -> JSONObject {
        var (identifier, payment) = try payment(request, token, else: 2014)
        switch payment.state {
        case .waitingForCode(let tries):
            guard let code = request.optional("verificationCode") else { throw SandboxError(2009) }
            if code.isExactly(SandboxCode.payment.rawValue) {
                return try progress(of: pay(identifier, payment))
            }
            payment.state = tries > 1 ? .waitingForCode(triesLeft: tries - 1) : .failed(SandboxError(2018))
            payments[identifier] = payment
            throw SandboxError(tries > 1 ? 2108 : 2018)
        case .paid: return try progress(of: payment)
        case .failed(let error): throw error
        default: throw SandboxError(2014)
        }
    }

    /// Returns the result of a payment with 3-D Secure.
    ///
    /// - Throws: 2110 if the customer has not confirmed the payment.
    func verification3d(_ request: SandboxRequest, _ token: String) throws(SandboxError) -> JSONObject {
        let (identifier, payment) = try payment(request, token, else: 2008)
        switch payment.state {
        case .waitingFor3d(_, isConfirmed: true): return try progress(of: pay(identifier, payment))
        case .waitingFor3d: throw SandboxError(2110)
        case .paid, .failed: return try progress(of: payment)
        default: throw SandboxError(2110)
        }
    }

    /// Records the customer's decision on a page. Only the first decision counts.
    ///
    /// - Returns: `false` if there is no such page.
    func decide(page: String, isConfirmed: Bool) -> Bool {
        guard let identifier = pages[page], var payment = payments[identifier] else { return false }
        if payment.state == .waitingFor3d(page: page, isConfirmed: nil) {
            payment.state =
                isConfirmed ? .waitingFor3d(page: page, isConfirmed: true) : .failed(SandboxError(2110))
            payments[identifier] = payment
        }
        return true
    }

    /// Returns the payment of a page; `nil` if there is no such page.
    func payment(ofPage page: String) -> SandboxPayment? { pages[page].flatMap { payments[$0] } }

    /// Returns the payment of a bill; `nil` if there is no such bill.
    func payment(ofBill bill: String) -> SandboxPayment? { receipts[bill].flatMap { payments[$0] } }

    private func payment(
        _ request: SandboxRequest, _ token: String, else code: Int
    ) throws(SandboxError) -> (String, SandboxPayment) {
        let identifier = request.text("payment")
        guard let payment = payments[identifier], payment.session.isExactly(token) else { throw SandboxError(code) }
        return (identifier, payment)
    }

    /// Completes a payment. If two payments with one bill number were verified at the same time, only the first
    /// is made.
    private func pay(_ identifier: String, _ payment: SandboxPayment) throws(SandboxError) -> SandboxPayment {
        var payment = payment
        guard paidBills[payment.billKey] == nil else {
            let error = SandboxError(2100, "this billNumber was paid")
            payment.state = .failed(error)
            payments[identifier] = payment
            throw error
        }
        let bill = SandboxBill(
            identifier: randomName(), contractNumber: payment.params?.contractNumber ?? "",
            milliseconds: Int64(max(0, now().timeIntervalSince1970 * 1_000).rounded()))
        payment.state = .paid(bill)
        payments[identifier] = payment
        receipts[bill.identifier] = identifier
        paidBills[payment.billKey] = identifier
        return payment
    }

    private func progress(of payment: SandboxPayment) throws(SandboxError) -> JSONObject {
        switch payment.state {
        case .paid(let bill): return ["progress": "paid", "bill": bill.json]
        case .waitingFor2d, .waitingForCode: return ["progress": "2d"]
        case .waitingFor3d(let page, _): return ["progress": "3d", "page": .string("/masterpass/3d/\(page)")]
        case .failed(let error): throw error
        case .quoted: throw SandboxError(2008)
        }
    }
}
