import Foundation
import MasterpassSandbox
import Testing

@testable import PayrelayPortmoneSDK

/// Payments against the sandbox over HTTP.
@Suite(.timeLimit(.minutes(25))) @MainActor struct PaymentTests {
    private typealias Log = PaymentLog<PayeePaymentTransaction>

    private static let params = PaymentParams(contractNumber: "123456")

    /// Runs a test with an app that has one card, and with the log of the app's delegate.
    private func with(
        _ number: String, _ test: @MainActor (App, Log, PayeePaymentService) async throws -> Void
    ) async throws {
        try await RunningSandbox.with(MasterpassSandbox(now: { Date(timeIntervalSince1970: 1_800_000_000.123) })) {
            app async throws in
            #expect(await app.authorize() == nil)
            #expect(await app.add("Card", number) == nil)
            let log = Log()
            try await test(app, log, log.service(app.state))
        }
    }

    @Test("A payment has its commission first, and then its bill with a receipt")
    func paid() async throws {
        try await with(TestCard.plain) { app, log, service async throws in
            let transaction = try await app.transaction(log, amount: 100.01)
            #expect(transaction.billAmount == 100.01)
            #expect(transaction.commission == 1.01)
            #expect(transaction.payeeId == "1001" && transaction.card.name == "Card" && transaction.bill == nil)
            service.proceedPayment(paymentParams: Self.params, transaction: transaction)
            let bill = try #require(try await log.next().bill)
            #expect(bill.contractNumber == "123456")
            #expect(bill.payDate == Date(timeIntervalSince1970: 1_800_000_000.123))
            let (status, receipt) = try await app.get(try #require(bill.recieptUrl))
            #expect(status == 200)
            #expect(receipt.hasPrefix("%PDF-1.4") && receipt.contains("Amount 100.01 UAH"))
            // The same call again is the same payment.
            service.proceedPayment(paymentParams: Self.params, transaction: transaction)
            #expect(try await log.next().bill == bill)
            service.proceedPayment(paymentParams: PaymentParams(contractNumber: "1"), transaction: transaction)
            #expect(try await log.next().code == 2008)
            #expect(log.count == 3)
        }
    }

    @Test("2D: the card's code, then the one by SMS")
    func by2d() async throws {
        try await with(TestCard.by2d) { app, log, service async throws in
            service.proceedPayment(paymentParams: Self.params, transaction: try await app.transaction(log))
            let waiting = try #require(try await log.next().waitingFor2d)
            service.startVerify2dCard(transaction: waiting, cvv2: "")
            #expect(try await log.next().code == 2015)
            service.startVerify2dCard(transaction: waiting, cvv2: "12x")
            #expect(try await log.next().code == 2105)
            service.startVerify2dCard(transaction: waiting, cvv2: "123")
            let started = try #require(try await log.next().waitingForCode)
            service.finishVerify2dCard(transaction: started, verificationCode: "")
            #expect(try await log.next().code == 2009)
            service.finishVerify2dCard(transaction: started, verificationCode: "000000")
            #expect(try await log.next().code == 2108)
            service.finishVerify2dCard(transaction: started, verificationCode: SandboxCode.payment.rawValue)
            #expect(try await log.next().bill != nil)
        }
    }

    @Test("2D: a wrong card's code, and five wrong codes by SMS, fail the payment for good")
    func failed2d() async throws {
        try await with(TestCard.by2d) { app, log, service async throws in
            service.proceedPayment(paymentParams: Self.params, transaction: try await app.transaction(log))
            let waiting = try #require(try await log.next().waitingFor2d)
            service.startVerify2dCard(transaction: waiting, cvv2: "000")
            #expect(try await log.next().code == 2018)
            service.startVerify2dCard(transaction: waiting, cvv2: "123")
            #expect(try await log.next().code == 2018)

            service.proceedPayment(paymentParams: Self.params, transaction: try await app.transaction(log))
            let other = try #require(try await log.next().waitingFor2d)
            service.startVerify2dCard(transaction: other, cvv2: "123")
            let started = try #require(try await log.next().waitingForCode)
            for tries in 1...6 {
                // Another text message does not allow further attempts.
                service.startVerify2dCard(transaction: other, cvv2: "123")
                #expect((try await log.next().waitingForCode == nil) == (tries == 6))
                service.finishVerify2dCard(transaction: started, verificationCode: "1")
                #expect(try await log.next().code == (tries < 5 ? 2108 : 2018))
            }
        }
    }

    @Test("3D: the page ends with any decision, and then the outcome is reported", arguments: [true, false, nil])
    func by3d(isConfirmed: Bool?) async throws {
        try await with(TestCard.by3d) { app, log, service async throws in
            let transaction = try await app.transaction(log, amount: 5)
            service.proceedPayment(paymentParams: Self.params, transaction: transaction)
            let webView = try #require(try await log.next().webView)
            #expect(webView.url.absoluteString.hasPrefix("\(app.base)/masterpass/3d/"))
            let (_, page) = try await app.get(webView.url.absoluteString)
            #expect(page.contains("Pay 5.05 UAH to Sandbox Electricity?"))
            if let isConfirmed {
                let decision = "\(webView.url.path)/\(isConfirmed ? "confirm" : "refuse")"
                #expect(try await app.post(decision, "").0 == 200)
                // Only the first decision counts.
                _ = try await app.post("\(webView.url.path)/\(isConfirmed ? "refuse" : "confirm")", "")
            }
            webView.finish()
            webView.finish()
            #expect(try await log.next().finished3d === webView)
            let news = try await log.next()
            #expect((news.bill != nil) == (isConfirmed == true))
            #expect(news.code == (isConfirmed == true ? nil : 2110))
            #expect(log.count == 3)
        }
    }

    @Test("3D: an app that drops the page ends it, and gets the outcome")
    func dropped() async throws {
        try await with(TestCard.by3d) { app, log, service async throws in
            service.proceedPayment(paymentParams: Self.params, transaction: try await app.transaction(log))
            var webView = try await log.next().webView
            weak let gone = webView
            webView = nil
            #expect(gone == nil)
            #expect(try await log.next().code == 2110)
        }
    }

    @Test("3D: who is authorized meanwhile does not change whose payment it is")
    func authorizationDuring3d() async throws {
        try await with(TestCard.by3d) { app, log, service async throws in
            service.proceedPayment(paymentParams: Self.params, transaction: try await app.transaction(log))
            let webView = try #require(try await log.next().webView)
            #expect(await app.authorize("380000000002") == nil)
            _ = try await app.post("\(webView.url.path)/confirm", "")
            webView.finish()
            _ = try await log.next()
            #expect(try await log.next().bill != nil)
        }
    }

    @Test("Each mistake in a payment has its code")
    func wrongPayments() async throws {
        try await with(TestCard.plain) { app, log, service async throws in
            for (amount, payee, login, code) in [
                (-0.01, "1001", "login", 2004), (.nan, "1001", "login", 2004), (.infinity, "1001", "login", 2004),
                (0.001, "1001", "login", 2004), (1, "", "login", 2010), (1, "1001", "", 2017),
                (1, "9999", "login", 2013), (1, "1003", "login", 2013), (99_999_999.99, "1001", "login", 2004),
            ] {
                let error = await #expect(throws: PortmoneError.self) {
                    _ = try await app.transaction(log, amount: amount, payeeId: payee, login: login)
                }
                #expect(error?.code == code, "\(amount) \(payee) \(login)")
            }
            let transaction = try await app.transaction(log, amount: 0, payeeId: "1002")
            for params in [
                PaymentParams(contractNumber: "A", attribute2: "1"),
                PaymentParams(contractNumber: "A", attribute1: "29.02.2027", attribute2: "1"),
                PaymentParams(contractNumber: "A", attribute1: "2028-02-29", attribute2: "1"),
                PaymentParams(contractNumber: "A", attribute1: "29.02.2028", attribute2: "x"),
                PaymentParams(contractNumber: "A", attribute1: "29.02.2028", attribute2: "123456789"),
                PaymentParams(contractNumber: "A", attribute1: "29.02.2028", attribute2: "1", attribute4: "x"),
                PaymentParams(contractNumber: String(repeating: "A", count: 21), attribute1: "29.02.2028"),
            ] {
                service.proceedPayment(paymentParams: params, transaction: transaction)
                #expect(try await log.next().code == 2100)
            }
            service.proceedPayment(paymentParams: PaymentParams(contractNumber: ""), transaction: transaction)
            #expect(try await log.next().code == 2011)
            let right = PaymentParams(contractNumber: "A", attribute1: "29.02.2028", attribute2: "1")
            service.proceedPayment(paymentParams: right, transaction: transaction)
            #expect(try await log.next().bill != nil)
        }
    }

    @Test("validate() reports a mistake before anything is sent")
    func validate() {
        let card = MasterpassCard(cardBin: "444433********11", name: "A")
        for (amount, login, code) in [
            (1.0, "l", nil), (0, "l", nil), (-1, "l", 2004), (.nan, "l", 2004), (1, "", 2017),
        ] as [(Double, String, Int?)] {
            let params = CommissionParams(card: card, billAmount: amount, merchantLogin: login, billNumber: "1")
            #expect((params.validate() as NSError?)?.code == code)
        }
        #expect((PaymentParams(contractNumber: "").validate() as NSError?)?.code == 2011)
        #expect(PaymentParams(contractNumber: "1", emailAddress: "a@example.com").validate() == nil)
        // `email`, as Portmone's page calls it, and `emailAddress`, as the published binary calls it, are one field.
        var params = PaymentParams(contractNumber: "1", email: "a@example.com")
        #expect(params.emailAddress == "a@example.com" && params.email == "a@example.com")
        params.email = "b@example.com"
        #expect(params == PaymentParams(contractNumber: "1", emailAddress: "b@example.com"))
    }

    @Test("A bill number is paid once")
    func billNumber() async throws {
        try await with(TestCard.plain) { app, log, service async throws in
            let two = [
                try await app.transaction(log, bill: "A"), try await app.transaction(log, bill: "A"),
            ]
            for transaction in two { service.proceedPayment(paymentParams: Self.params, transaction: transaction) }
            let news = [try await log.next(), try await log.next()]
            #expect(news.compactMap(\.bill).count == 1 && news.compactMap(\.code) == [2100])
            await #expect(throws: PortmoneError.self) { _ = try await app.transaction(log, bill: "A") }
            // A bill number of another login is another bill.
            _ = try await app.transaction(log, bill: "A", login: "other")
        }
    }

    @Test("A top-up is paid like a company, by the phone number")
    func topUp() async throws {
        try await with(TestCard.by2d) { app, _, _ async throws in
            let delegate = TopUpLog()
            let service = TopUpMobileService(delegate, app.state)
            let params = CommissionParams(
                card: try #require(try await app.cards().first), billAmount: 50, merchantLogin: "login", billNumber: "1"
            )
            for (number, code) in [("", 2006), ("0666789555", 2005)] {
                let error = await #expect(throws: PortmoneError.self) {
                    let _: TopUpMobileTransaction = try await app.value {
                        service.getCommission(commissionParams: params, phoneNumber: number, completion: $0)
                    }
                }
                #expect(error?.code == code)
            }
            let transaction: TopUpMobileTransaction = try await app.value {
                service.getCommission(commissionParams: params, phoneNumber: App.phone, completion: $0)
            }
            #expect(transaction.phoneNumber == App.phone && transaction.payeeId == "2001")
            #expect(transaction.billAmount == 50 && transaction.commission == 0.5)
            service.proceedPayment(
                paymentParams: PaymentParams(contractNumber: App.phone), transaction: transaction)
            let waiting = try #require(try await delegate.log.next().waitingFor2d)
            service.startVerify2dCard(transaction: waiting, cvv2: "123")
            let started = try #require(try await delegate.log.next().waitingForCode)
            service.finishVerify2dCard(transaction: started, verificationCode: "333333")
            #expect(try await delegate.log.next().bill != nil)
        }
    }

    @Test("A released delegate gets no calls, and the payment is made")
    func weakDelegate() async throws {
        try await with(TestCard.plain) { app, log, _ async throws in
            let transaction = try await app.transaction(log, bill: "A")
            var delegate: Log? = Log()
            weak let gone = delegate
            delegate?.service(app.state).proceedPayment(paymentParams: Self.params, transaction: transaction)
            delegate = nil
            #expect(gone == nil)
            log.service(app.state).proceedPayment(paymentParams: Self.params, transaction: transaction)
            #expect(try await log.next().bill != nil)
        }
    }
}
