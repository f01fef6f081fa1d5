import PayrelayPrimitives
import Testing
import TokenMint

@testable import PortmoneSandbox

@Suite struct ChargeTests {
    /// The members of the published answer.
    private static let members = [
        "status", "errorCode", "error", "shopBillId", "billAmount", "billNumber", "attribute1", "attribute2",
        "attribute3", "attribute4", "cardMask", "actionMPI", "pareq", "authCode", "description", "lang", "md",
        "isNeed3DS", "token", "billCurrency", "transactionId", "pdfUrl", "shop_site_id",
    ]

    @Test("A charge is answered with the published members, all of them strings, and the request's id as a string")
    func aChargeHasThePublishedShape() async throws {
        let bench = PortmoneBench()
        let envelope = try await bench.answer(to: PortmoneBench.body("APay", bench.payment("A-1", ["attribute2": "x"])))
        #expect(envelope["id"] == "7")
        let paid = try #require(envelope["result"])
        #expect(paid.objectValue.map { Set($0.names) } == Set(Self.members) && paid.hasOnlyTexts)
        #expect(paid["status"] == "PAYED" && paid["errorCode"] == "0" && paid["isNeed3DS"] == "N")
        #expect(paid["billAmount"] == "125.50" && paid["billNumber"] == "A-1" && paid["billCurrency"] == "UAH")
        #expect(paid["attribute2"] == "x" && paid["actionMPI"] == "" && paid["md"] == "")
        #expect(paid["shopBillId"]?.stringValue?.utf8.count == 9)
    }

    @Test("A request that published clients would not send is refused by its code, and makes no bill")
    func whatPublishedClientsDoNotSendIsRefused() async throws {
        let bench = PortmoneBench()
        let changes: [(JSONObject, String)] = [
            (["login": "shop"], "102"), (["password": "pass"], "102"), (["payeeId": "1"], "103"),
            // Data of another payee, which are right for that payee but not for this one.
            (["payeeId": "1186"], "102"), (["payeeId": "1186", "login": "OTHER", "password": "another"], "109"),
            (["login": .null], "104"), (["password": ""], "104"), (["payeeId": .null], "104"),
            (["aPayMerchantName": .null], "104"), (["paymentData": .null], "104"), (["billAmount": .null], "104"),
            (["shopOrderNumber": ""], "104"), (["billCurrency": .null], "104"),
            (["aPayToken": "x"], "105"), (["signature": "x"], "105"), (["billAmount": ["1"]], "106"),
            (["description": true], "106"), (["shopOrderNumber": .number("1.5")], "106"),
            (["shopOrderNumber": "a\u{0000}b"], "106"),
            (["shopOrderNumber": .string(String(repeating: "x", count: 256))], "106"),
            (["billAmount": "125,50"], "107"), (["billAmount": .number("1.2550e2")], "107"),
            (["billAmount": "125.500"], "107"), (["billAmount": .number("-125.50")], "107"), (["billAmount": 0], "107"),
            (["billCurrency": "USD"], "108"), (["billCurrency": "uah"], "108"), (["billCurrency": "\u{212A}WD"], "108"),
            (["aPayMerchantName": "merchant.other"], "109"), (["preauthFlag": "y"], "106"),
            (["paymentData": "TOKEN"], "111"), (["paymentData": ["version": "EC_v1"]], "111"),
            (["paymentData": "{}"], "111"),
            (["billAmount": "125.51"], "114"), (["billCurrency": "KWD", "billAmount": "12.550"], "115"),
        ]
        for (change, code) in changes {
            let answer = try await bench.pay("A", change)
            #expect(answer.errorCode == code, "\(change.members.map(\.name)): \(answer)")
            #expect(answer.objectValue?.names == ["errorCode", "error"])
        }
        #expect(await bench.sandbox.bills.isEmpty)
        // The refused requests have used up neither the token nor the order.
        #expect(try await bench.pay("A")["status"] == "PAYED")
    }

    @Test("A body that is not a request, or that names an unknown method, is refused")
    func aBodyThatIsNoRequestIsRefused() async throws {
        let bench = PortmoneBench()
        let data = JSON.object(try bench.payment("A"))
        let bodies: [(JSON, GatewayPath, String)] = [
            ([], .r3, "100"), ("APay", .r3, "100"), ([:], .r3, "100"), (["method": 1], .r3, "100"),
            (["method": "APay", "params": data, "id": "1"], .r3, "100"),
            (["method": "APay", "params": ["data": data]], .r3, "100"),
            (["method": "APay", "params": ["data": data, "id": "1"]], .r3, "100"),
            (["method": "APay", "params": ["data": data], "id": .number("1.5")], .r3, "100"),
            (["method": "APay", "params": ["data": data], "id": "1", "signature": ""], .r3, "100"),
            (["method": "apay", "params": ["data": data], "id": "1"], .r3, "101"),
            (["method": "GPay", "params": ["data": data], "id": "1"], .r3, "101"),
            (["method": "APay", "params": ["data": data], "id": "1"], .gateway, "101"),
            (["method": "createLinkPayment", "params": ["data": data], "id": "1"], .r3, "101"),
        ]
        for (body, path, code) in bodies {
            let answer = try await bench.answer(to: body.encoded(), at: path)
            #expect((path == .r3 ? answer["result"] : answer)?.errorCode == code, "\(body.encoded().count)")
        }
        for text in ["", "{", "<xml/>", "method=APay", String(repeating: "[", count: 100_000)] {
            #expect(try await bench.answer(to: Array(text.utf8))["result"]?.errorCode == "100")
        }
        #expect(await bench.sandbox.bills.isEmpty)
    }

    @Test("Apple's token is taken in the configured encoding alone", arguments: PaymentDataEncoding.allCases)
    func theTokenIsTakenInOneEncoding(encoding: PaymentDataEncoding) async throws {
        let bench = PortmoneBench(ChargeSettings(paymentData: encoding))
        for other in PaymentDataEncoding.allCases {
            let token = try PortmoneBench.token()
            let text = try #require(try PortmoneBench.text(of: token).stringValue)
            let sent: JSON =
                switch other {
                case .jsonString: .string(text)
                case .object: try #require(token["paymentData"])
                case .base64: .string(Base64Text(encoding: Array(text.utf8)).text)
                }
            let answer = try await bench.pay("ORDER-\(other)", ["paymentData": sent])
            #expect(answer.errorCode == (other == encoding ? "0" : "111"), "\(other)")
        }
        // The whole token is sent instead of its part.
        let whole: JSONObject = ["paymentData": try PortmoneBench.token()]
        if encoding == .object { #expect(try await bench.pay("WHOLE", whole)["status"] == "PAYED") }
    }

    @Test("A token pays once, for five minutes, and with the merchant's key only")
    func aTokenPaysOnce() async throws {
        let bench = PortmoneBench()
        let data = try bench.payment("A")
        #expect(try await bench.send("APay", data)["status"] == "PAYED")
        #expect(try await bench.send("APay", data).errorCode == "112")
        let again = PortmoneBench.changed(data, ["shopOrderNumber": "B"])
        #expect(try await bench.send("APay", again).errorCode == "112")
        let foreign = try PortmoneBench.text(of: PortmoneBench.token(pki: .generate()))
        #expect(try await bench.pay("C", ["paymentData": foreign]).errorCode == "111")
        let old = try bench.payment("D")
        bench.wait(seconds: 301)
        #expect(try await bench.send("APay", old).errorCode == "113")
        #expect(await bench.sandbox.bills.map(\.shopOrderNumber) == ["A"])
    }

    @Test("Fifty orders with one token at once make one charge")
    func ofManyOrdersWithOneTokenOneIsCharged() async throws {
        let bench = PortmoneBench()
        let token = try PortmoneBench.token()
        let requests = try (0..<50).map { try bench.payment("ORDER-\($0)", token: token) }
        let codes = try await withThrowingTaskGroup { group in
            for data in requests { group.addTask { try await bench.send("APay", data).errorCode } }
            return try await group.reduce(into: [String?: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(codes == ["0": 1, "112": 49])
    }

    @Test("An order that is charged with two tokens has two paid bills, and the books say so")
    func asManyBillsAsTokens() async throws {
        let bench = PortmoneBench()
        for _ in 0..<2 { #expect(try await bench.pay("A")["status"] == "PAYED") }
        #expect(try await bench.state("A") == ["PAYED 125.50", "PAYED 125.50"])
        #expect(await bench.sandbox.newestBills(limit: 10).map { $0["charge_requests"] } == [2, 2])
    }

    @Test("Charges are preauthorized as configured: never, on request, always", arguments: Preauthorization.allCases)
    func preauthorization(rule: Preauthorization) async throws {
        let bench = PortmoneBench(ChargeSettings(preauthorization: rule))
        let plain = try await bench.pay("A")
        let asked = try await bench.pay("B", ["preauthFlag": "Y"])
        #expect(plain["status"] == (rule == .always ? "PREAUTH" : "PAYED"))
        if rule == .never {
            #expect(asked.errorCode == "110")
        } else {
            #expect(asked["status"] == "PREAUTH")
        }
    }

    @Test("An amount of a currency with three decimals is exact, too")
    func threeDecimals() async throws {
        let bench = PortmoneBench()
        let token = try PortmoneBench.text(of: PortmoneBench.token(12_505, "KWD"))
        let paid = try await bench.pay("A", ["billCurrency": "KWD", "billAmount": "12.505", "paymentData": token])
        #expect(paid["status"] == "PAYED" && paid["billAmount"] == "12.505")
    }
}
