import PaymentRelay
import PayrelayPrimitives
import PortmoneAPI
import Testing

@testable import PortmoneModule

@Suite struct HintTests {
    private func hints(_ json: JSON) throws -> [GatewayHint] {
        GatewayHint.hints(
            in: try PortmoneNotification(reading: json.encoded(), as: .json), for: try ScriptedPortmone.accounts())
    }

    @Test("a notification without a payee leads to a query of every account, and states nothing")
    func everyAccount() throws {
        let hints = try hints(["shopOrderNumber": "ORDER-1", "shopBillId": "550298815"])
        #expect(hints.map(\.account) == ["ua", "eu"])
        #expect(hints.map(\.currency) == ["UAH", "EUR"])
        for hint in hints {
            #expect(hint.merchantReference == "ORDER-1" && hint.gatewayReference == "550298815")
            #expect(hint.statement == .undecided && hint.amount == nil)
        }
    }

    @Test("a notification with a payee leads to a query of the payee's account, and with a foreign payee to none")
    func namedPayee() throws {
        let xml =
            "<BILLS><BILL><PAYEE><CODE>%@</CODE></PAYEE><BILL_ID>550298815</BILL_ID><BILL_NUMBER>ORDER-1</BILL_NUMBER><PAYED_AMOUNT>100.00</PAYED_AMOUNT></BILL></BILLS>"
        for (payee, expected) in [("1185", ["ua"]), ("1186", ["eu"]), ("1187", [])] {
            let body = Array("data=\(xml.split(separator: "%@").joined(separator: payee))".utf8)
            let hints = GatewayHint.hints(
                in: try PortmoneNotification(reading: body, as: .form), for: try ScriptedPortmone.accounts())
            #expect(hints.map(\.account) == expected)
            for hint in hints {
                #expect(hint.subject == .charge(.purchase) && hint.statement == .captured && hint.amount == 10_000)
            }
        }
    }

    @Test(
        "an amount in another form is none",
        arguments: ["1.010", "1,01", "1e2", "-1", "+1", "99999999999"])
    func amounts(text: String) throws {
        let hint = try #require(
            try hints(["shopOrderNumber": "A", "shopBillId": "1", "payee_id": "1185", "billAmount": .string(text)])
                .first)
        #expect(hint.amount == nil)
    }

    @Test(
        "a status that it states is stated, and nothing else",
        arguments: [
            ("PAYED", GatewayHint.Statement.captured), ("PREAUTH", .authorized), ("REJECTED", .declined),
            ("RETURN", .refunded), ("CREATED", .undecided), ("PAID", .undecided),
        ])
    func statements(status: String, statement: GatewayHint.Statement) throws {
        let json: JSON = ["shopOrderNumber": "A", "shopBillId": "1", "payee_id": "1185", "status": .string(status)]
        #expect(try hints(json).map(\.statement) == [statement])
    }
}
