import Foundation
import PayrelayClient
import PayrelayPrimitives
import Testing

@testable import PayrelayPortmoneSDK

@Suite(.timeLimit(.minutes(25))) @MainActor struct LostAnswerTests {
    private static let params = PaymentParams(contractNumber: "123456")

    /// A transport that sends every request, and loses the first answer to each of the given calls.
    private actor LossyTransport: RelayTransport {
        private var calls: Set<String>

        init(_ calls: Set<String>) {
            self.calls = calls
        }

        func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
            let response = try await URLSessionTransport().send(request)
            guard calls.remove(request.url.components(separatedBy: "/").last ?? "") == nil else { throw .lost("lost") }
            return response
        }
    }

    @Test("A call whose answer was lost reports its outcome on the second attempt, and pays nothing twice")
    func again() async throws {
        for number in [TestCard.plain, TestCard.by2d, TestCard.by3d] {
            try await RunningSandbox.with { app async throws in
                let calls: Set = [
                    "proceedPayment", "startVerify2dCard", "finishVerify2dCard", "getVerification3d",
                ]
                let wallet = try SandboxWallet(
                    url: try #require(URL(string: app.base)), transport: LossyTransport(calls))
                app.state.initialize(merchantKey: "key", clientId: "client", wallet: wallet)
                #expect(await app.authorize() == nil)
                #expect(await app.add("Card", number) == nil)
                let log = PaymentLog<PayeePaymentTransaction>()
                let service = log.service(app.state)
                let transaction = try await app.transaction(log, bill: "A")

                service.proceedPayment(paymentParams: Self.params, transaction: transaction)
                #expect(try await log.next().code == 2101)
                service.proceedPayment(paymentParams: Self.params, transaction: transaction)
                let news = try await log.next()
                var bill = news.bill
                if let waiting = news.waitingFor2d {
                    service.startVerify2dCard(transaction: waiting, cvv2: "123")
                    #expect(try await log.next().code == 2101)
                    service.startVerify2dCard(transaction: waiting, cvv2: "123")
                    let started = try #require(try await log.next().waitingForCode)
                    service.finishVerify2dCard(transaction: started, verificationCode: "333333")
                    #expect(try await log.next().code == 2101)
                    service.finishVerify2dCard(transaction: started, verificationCode: "333333")
                    bill = try await log.next().bill
                }
                if let webView = news.webView {
                    _ = try await app.post("\(webView.url.path)/confirm", "")
                    webView.finish()
                    _ = try await log.next()
                    #expect(try await log.next().code == 2101)
                    service.proceedPayment(paymentParams: Self.params, transaction: transaction)
                    bill = try await log.next().bill
                }
                #expect(bill != nil)
                // Another transaction cannot pay the same bill number.
                await #expect(throws: PortmoneError.self) { _ = try await app.transaction(log, bill: "A") }
            }
        }
    }

    @Test("A 3D payment whose query for the outcome never arrived is paid by proceedPayment")
    func confirmedAndNotAsked() async throws {
        try await RunningSandbox.with { app async throws in
            #expect(await app.authorize() == nil)
            #expect(await app.add("Card", TestCard.by3d) == nil)
            let log = PaymentLog<PayeePaymentTransaction>()
            let transaction = try await app.transaction(log)
            log.service(app.state).proceedPayment(paymentParams: Self.params, transaction: transaction)
            let webView = try #require(try await log.next().webView)
            _ = try await app.post("\(webView.url.path)/confirm", "")
            log.service(app.state).proceedPayment(paymentParams: Self.params, transaction: transaction)
            #expect(try await log.next().bill != nil)
        }
    }
}
