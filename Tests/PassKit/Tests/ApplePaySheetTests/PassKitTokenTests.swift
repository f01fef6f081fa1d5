import CryptoKit
import Foundation
import PassKit
import PayrelayAPI
import PayrelayClient
import PayrelayPrimitives
import Testing

@Suite struct PassKitTokenTests {
    @Test("PassKit's types of cards become Apple Pay JS's words, and a type without a word is left out")
    func typesOfCards() throws {
        let words = try PKPaymentMethodType.allCases.map { type in
            let method = PKPaymentMethod(displayName: nil, network: nil, type: type)
            let token = PKPaymentToken(paymentMethod: method, transactionIdentifier: "aa11", paymentData: Data())
            return try AppleToken(token).json.objectValue?["paymentMethod"]?.objectValue?["type"]?.stringValue
        }
        #expect(words == [nil, "debit", "credit", "prepaid", "store", nil])
    }

    @Test("The Simulator's token, which holds no data, is sent as it is")
    func theSimulatorsToken() throws {
        let token = try AppleToken(Checkout.payment(""))
        #expect(token.json.objectValue?["paymentData"] == [:])
        #expect("\(token)" == "***")
    }

    @Test("Data that is not a JSON object is refused")
    func dataThatIsNoObject() {
        for data in ["x", "[]", "null", "{", "\"\"", "1", "{}{}", "{\"a\":1,\"a\":2}", "\u{FEFF}{}"] {
            #expect(throws: AppleTokenError.notJSON, "\(data)") { try AppleToken(Checkout.payment(data)) }
        }
    }

    @Test("The order's application data hash is SHA-256 in hexadecimal digits")
    func applicationData() {
        var order = Checkout.order
        // The examples are from FIPS 180-4.
        for (data, hash) in [
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ] {
            order.setApplicationData(Data(data.utf8))
            #expect(order.applicationDataHash == hash)
        }
    }
}
