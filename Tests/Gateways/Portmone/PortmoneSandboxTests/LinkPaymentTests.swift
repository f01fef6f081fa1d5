import PayrelayPrimitives
import Testing

@testable import PortmoneSandbox

@Suite struct LinkPaymentTests {
    @Test("The signature is HMAC-SHA-256 over the upper-case text of its parts")
    func signature() {
        // The expected value is the output of: printf 1000202501011200004F524445522D3110.5064656D6F | openssl dgst -sha256
        // -hmac testkey
        let signature = LinkPayment.signature(
            payeeId: "1000", moment: "20250101120000", shopOrderNumber: "ORDER-1", amount: "10.50", login: "demo",
            key: Secret("testkey"))
        #expect(signature == "77FC01AE96C31814CD57014835D230AD6C6478BFF3CB60C80A773F6AABF289B6")
    }

    private func request(_ payee: JSONObject = [:], _ order: JSONObject = [:]) -> [UInt8] {
        let signature = LinkPayment.signature(
            payeeId: "1185", moment: "20250101120000", shopOrderNumber: "A-1", amount: "10.50", login: "SHOP",
            key: Secret("testkey"))
        let own: JSONObject = [
            "payeeId": "1185", "login": "SHOP", "dt": "20250101120000", "signature": .string(signature),
            "shopSiteId": "",
        ]
        let ownOrder: JSONObject = [
            "description": "", "shopOrderNumber": "A-1", "billAmount": "10.50", "billCurrency": "UAH",
            "preauthFlag": "N",
        ]
        return JSON.object([
            "method": "createLinkPayment", "payee": .object(PortmoneBench.changed(own, payee)),
            "order": .object(PortmoneBench.changed(ownOrder, order)), "payer": ["lang": "uk"],
        ]).encoded()
    }

    @Test("A signed request is answered with a link, and makes no bill")
    func aSignedRequest() async throws {
        let bench = PortmoneBench()
        let answer = try await bench.answer(to: request(), at: .gateway)
        #expect(answer["errorCode"] == "0" && answer["linkPayment"]?.stringValue?.hasPrefix("https://") == true)
        #expect(await bench.sandbox.bills.isEmpty)
    }

    @Test("A member that the signature covers cannot be changed")
    func whatIsSignedCannotBeChanged() async throws {
        let bench = PortmoneBench()
        let tries: [(JSONObject, JSONObject, String)] = [
            ([:], ["billAmount": "1.50"], "116"), ([:], ["shopOrderNumber": "A-2"], "116"),
            (["dt": "20250101120001"], [:], "116"), (["signature": "77FC"], [:], "116"),
            // The number is the same, but its text differs.
            ([:], ["billAmount": .number("10.5")], "116"),
            (["signature": .null], [:], "104"), (["login": "shop"], [:], "102"), (["payeeId": "1186"], [:], "102"),
            (["payeeId": "1"], [:], "103"), (["dt": "now"], [:], "106"), ([:], ["billCurrency": "USD"], "108"),
            (["password": "x"], [:], "105"),
        ]
        for (payee, order, code) in tries {
            let answer = try await bench.answer(to: request(payee, order), at: .gateway)
            #expect(answer.errorCode == code, "\(payee.names) \(order.names)")
        }
    }
}
