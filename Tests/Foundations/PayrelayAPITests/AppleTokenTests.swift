import PayrelayAPI
import PayrelayPrimitives
import Testing

@Suite struct AppleTokenTests {
    @Test("A token with PassKit's members is a token that the API accepts")
    func isOfPassKitsMembers() throws {
        let data = #"{"version":"EC_v1","data":"3q2+7w==","signature":"3q2+7w==","header":{}}"#
        let token = try AppleToken(
            paymentData: Array(data.utf8), displayName: "Visa 0492", network: "Visa", methodType: "debit",
            transactionIdentifier: "26")
        #expect(
            String(decoding: token.json.encoded(), as: UTF8.self)
                == #"{"paymentData":\#(data),"paymentMethod":{"displayName":"Visa 0492","network":"Visa","type":"debit"},"#
                + #""transactionIdentifier":"26"}"#)
    }

    @Test("The simulator's empty data is sent as it is, and other text is refused")
    func refusesOtherText() throws {
        let simulated = try AppleToken(
            paymentData: [], displayName: "Simulated Instrument", network: nil, methodType: nil,
            transactionIdentifier: "Simulated Identifier")
        #expect(simulated.json["paymentData"] == [:])
        for text in ["x", "[]", "{", "\"{}\""] {
            #expect(throws: AppleTokenError.notJSON) {
                try AppleToken(
                    paymentData: Array(text.utf8), displayName: nil, network: nil, methodType: nil,
                    transactionIdentifier: "26")
            }
        }
    }

    @Test("S1: neither a token nor an order's customer is in any description")
    func isInNoDescription() {
        let token = AppleToken(json: ["paymentData": "canary"])
        var order = Order("A", amount: 1, currency: .AED, customerEmail: "canary@example.com")
        order.customerName = "canary"
        order.phoneNumber = "canary"
        for value in [token, order, [order], ["token": token]] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            #expect(!"\(value) \(String(reflecting: value)) \(dumped)".contains("canary"))
        }
    }
}
