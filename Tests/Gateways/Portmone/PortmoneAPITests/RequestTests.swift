import ApplePayToken
import FoundationEssentials
import PayrelayPrimitives
import Testing

@testable import PortmoneAPI

/// The bytes of each request, compared with the published JSON as literal text.
@Suite struct RequestTests {
    private func text(_ request: some PortmoneRequest, _ account: PortmoneAccount? = nil) throws -> String {
        String(decoding: request.body(for: try account ?? Samples.account()), as: UTF8.self)
    }

    private func charge(
        _ amount: MinorUnits = 101, _ currency: String = "UAH", isPreauthorization: Bool = false
    ) throws -> APayRequest {
        APayRequest(
            shopOrderNumber: "ORDER-1", amount: amount, currency: try Samples.currency(currency),
            isPreauthorization: isPreauthorization, token: try Samples.token())
    }

    @Test("APay is the published request, with the token as JSON text in a string")
    func aPay() throws {
        let escaped = Samples.paymentData.split(separator: "\"", omittingEmptySubsequences: false).joined(
            separator: #"\""#)
        #expect(
            try text(charge())
                == #"{"method":"APay","params":{"data":{"aPayMerchantName":"merchant.com.example","paymentData":""#
                + escaped
                + #"","billAmount":1.01,"shopOrderNumber":"ORDER-1","billCurrency":"UAH","login":"SHOP","#
                + #""password":"CANARY-PASSWORD","payeeId":"1185"}},"id":1}"#)
    }

    @Test("the encoding of paymentData is the account's", arguments: PaymentDataEncoding.allCases)
    func encodings(encoding: PaymentDataEncoding) throws {
        let data = try charge().data(for: Samples.account(encoding))["paymentData"]
        switch encoding {
        case .jsonString: #expect(data == .string(Samples.paymentData))
        case .object: #expect(data == (try JSON(parsing: Samples.paymentData)))
        case .base64: #expect(data == .string(Base64Text(encoding: Array(Samples.paymentData.utf8)).text))
        }
    }

    @Test(
        "an amount is a number with the currency's decimals",
        arguments: [("UAH", "100.00"), ("JPY", "10000"), ("KWD", "10.000")])
    func amounts(currency: String, literal: String) throws {
        #expect(try charge(10_000, currency).data(for: Samples.account())["billAmount"] == .number(literal))
    }

    @Test("a preauthorization has preauthFlag, if the account's setting says so", arguments: Preauthorization.allCases)
    func preauthorization(_ preauthorization: Preauthorization) throws {
        let account = try Samples.account(.jsonString, preauthorization)
        let flag: JSON? = preauthorization == .onRequest ? "Y" : nil
        #expect(try charge(isPreauthorization: true).data(for: account)["preauthFlag"] == flag)
        #expect(try charge().data(for: account)["preauthFlag"] == nil)
    }

    @Test("result queries by the order's number or by the bill's")
    func result() throws {
        #expect(
            try text(ResultRequest(.order("ORDER-1")))
                == #"{"method":"result","id":"1","params":{"data":{"login":"SHOP","password":"CANARY-PASSWORD","#
                + #""payeeId":"1185","shopOrderNumber":"ORDER-1"}}}"#)
        #expect(
            try text(ResultRequest(.bill("550298815")))
                == #"{"method":"result","id":"1","params":{"data":{"login":"SHOP","password":"CANARY-PASSWORD","#
                + #""payeeId":"1185","shopbillId":"550298815"}}}"#)
    }

    @Test("the days of result are those of any zone, and never fewer than a month")
    func period() throws {
        let moment = Date(timeIntervalSince1970: 1_800_000_000)
        for (days, start) in [(0, "16.12.2026"), (20, "16.12.2026"), (35, "10.12.2026"), (400, "10.12.2025")] {
            let period = ResultPeriod(since: moment - .seconds(days * 86_400), at: moment)
            let body = try text(ResultRequest(.order("ORDER-1"), in: period))
            #expect(
                body.hasSuffix(
                    #""shopOrderNumber":"ORDER-1","startDate":"\#(start)","endDate":"16.01.2027"}}}"#), "\(body)")
        }
    }

    @Test("confirmPreauth names order, bill and amount")
    func confirm() throws {
        let request = ConfirmPreauthRequest(
            shopOrderNumber: "ORDER-1", shopBillID: "550298815", amount: 50, currency: try Samples.currency("UAH"))
        #expect(
            try text(request)
                == #"{"method":"confirmPreauth","id":"1","params":{"data":{"login":"SHOP","#
                + #""password":"CANARY-PASSWORD","payeeId":"1185","shopOrderNumber":"ORDER-1","#
                + #""shopbillId":"550298815","postauthAmount":0.50}}}"#)
    }

    @Test("rejectPreauth and closeInvoice name the bill that they end")
    func reject() throws {
        #expect(
            try text(RejectPreauthRequest(.bill("550298815")))
                == #"{"method":"rejectPreauth","id":"1","params":{"data":{"login":"SHOP","#
                + #""password":"CANARY-PASSWORD","payeeId":"1185","shopbillId":"550298815"}}}"#)
        #expect(
            try text(CloseInvoiceRequest(shopOrderNumber: "ORDER-1"))
                == #"{"method":"closeInvoice","id":"1","params":{"data":{"login":"SHOP","#
                + #""password":"CANARY-PASSWORD","payeeId":"1185","shopOrderNumber":"ORDER-1"}}}"#)
    }

    @Test("return names the bill, the amount and why")
    func refund() throws {
        let request = ReturnRequest(
            .order("ORDER-1"), amount: 50, currency: try Samples.currency("UAH"), message: "sent back")
        #expect(
            try text(request)
                == #"{"method":"return","id":"1","params":{"data":{"login":"SHOP","password":"CANARY-PASSWORD","#
                + #""payeeId":"1185","shopOrderNumber":"ORDER-1","returnAmount":0.50,"message":"sent back"}}}"#)
    }

    @Test("S1: no description shows the password or the token")
    func nothingIsShown() throws {
        let account = try Samples.account()
        let request = try charge()
        let transport = Scripted { _ in .unknown(reason: "") }
        let client = PortmoneClient(account: account, endpoint: .production, transport: transport)
        var shown = ""
        for value in [
            account, request, client, ResultRequest.probe(),
            try PortmoneAccounts([.init(name: "ua", account: account)]),
        ] as [Any] {
            dump(value, to: &shown)
            shown += "\(value)" + String(reflecting: value)
        }
        #expect(!shown.contains("CANARY"))
    }
}
