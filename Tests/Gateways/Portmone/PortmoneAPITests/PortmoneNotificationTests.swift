import PayrelayPrimitives
import TestPrograms
import Testing

@testable import PortmoneAPI

@Suite struct PortmoneNotificationTests {
    private func json(_ text: String) throws(PortmoneNotificationError) -> PortmoneNotification {
        try PortmoneNotification(reading: Array(text.utf8), as: .json)
    }

    private func form(_ body: String) throws(PortmoneNotificationError) -> PortmoneNotification {
        try PortmoneNotification(reading: Array(body.utf8), as: .form)
    }

    private func form(xml: String) throws(PortmoneNotificationError) -> PortmoneNotification {
        try form("data=" + escaped(xml))
    }

    private func escaped(_ text: String) -> String {
        text.utf8.map { "%" + HexText(encoding: [$0]).text }.joined()
    }

    @Test(
        "the JSON form names an order and a bill, and perhaps more",
        arguments: [
            #"{"shopOrderNumber":"ORDER-1","shopBillId":"550298815"}"#,
            #"{"shop_order_number":"ORDER-1","shop_bill_id":550298815,"unknown":{"a":[1]}}"#,
        ])
    func jsonForm(text: String) throws {
        let notice = try #require(try json(text).notices.first)
        #expect(notice.shopOrderNumber == "ORDER-1" && notice.shopBillID == "550298815")
        #expect(notice.status == nil && notice.payeeID == nil && notice.amountText == nil)
    }

    @Test("the XML form names payee, bill, order and amount of each bill that was paid")
    func xmlForm() throws {
        let notification = try form(xml: PlainXMLTests.document)
        let notice = try #require(notification.notices.first)
        #expect(notification.notices.count == 1)
        #expect(notice.shopOrderNumber == "ORDER-1" && notice.shopBillID == "550298815")
        #expect(notice.status == .payed && notice.payeeID == "1185" && notice.amountText == "1.01")
        let two =
            "<BILLS><BILL><BILL_ID>1</BILL_ID><BILL_NUMBER>A</BILL_NUMBER></BILL><BILL><BILL_ID>2</BILL_ID><BILL_NUMBER>B</BILL_NUMBER></BILL></BILLS>"
        #expect(try form(xml: two).notices.map(\.shopOrderNumber) == ["A", "B"])
    }

    /// Returns a document in the form of the published sample.
    private func document(_ numbers: String...) -> String {
        let bills = numbers.map { number in
            """
              <BILL>
                    <PAYEE>
                        <NAME>Крамниця</NAME>
                        <CODE>1185</CODE>
                    </PAYEE>
                    <BANK>
                        <NAME>АТ "Банк "Перший""</NAME>
                        <CODE>300000</CODE>
                        <ACCOUNT>29240000000000</ACCOUNT>
                    </BANK>
                    <BILL_ID>14561</BILL_ID>
                    <BILL_NUMBER>\(number)</BILL_NUMBER>
                    <BILL_DATE>2021-04-01</BILL_DATE>
                    <BILL_PERIOD>0421</BILL_PERIOD>
                    <PAY_DATE>2021-04-02</PAY_DATE>
                    <PAYED_AMOUNT>120.10</PAYED_AMOUNT>
                    <PAYED_COMMISSION>0</PAYED_COMMISSION>
                    <PAYED_DEBT>0</PAYED_DEBT>
                    <AUTH_CODE>739280</AUTH_CODE>
                    <PAYER>
                        <CONTRACT_NUMBER>Опис замовлення</CONTRACT_NUMBER>
                        <ATTRIBUTE1>1000-82-010</ATTRIBUTE1>
                    </PAYER>
              </BILL>
            """
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<BILLS>\n\(bills.joined(separator: "\n"))\n</BILLS>"
    }

    @Test("bills of numbers that no order here has are left out: the payee is paid in other ways, too")
    func otherNumbers() throws {
        #expect(try form(xml: document("3892/1")).notices.isEmpty)
        let notices = try form(xml: document("3892/1", "ORDER-1", "Замовлення 2")).notices
        #expect(notices.map(\.shopOrderNumber) == ["ORDER-1"])
        #expect(notices.first?.shopBillID == "14561" && notices.first?.amountText == "120.10")
        #expect(try form(xml: document("<![CDATA[ORDER-1]]>")).notices == notices)
        #expect(try json(#"{"shopOrderNumber":"3892/1","shopBillId":"14561"}"#).notices.isEmpty)
    }

    @Test("a form may leave characters unescaped that its field does not require to be escaped")
    func unescaped() throws {
        let xml = "<BILLS><BILL><BILL_ID>1</BILL_ID><BILL_NUMBER>A</BILL_NUMBER></BILL></BILLS>"
        #expect(try form("lang=uk&data=\(xml)&x").notices.count == 1)
        #expect(try form("data=\(escaped("<BILLS> "))+\(xml.dropFirst(7))").notices.count == 1)
    }

    @Test(
        "a notification without an order or a bill is refused",
        arguments: [
            "{}", "[]", "1", "", "<BILLS/>", #"{"shopOrderNumber":"ORDER-1"}"#, #"{"shopBillId":"1"}"#,
            #"{"shopOrderNumber":"ORDER-1","shopBillId":"1 OR 1"}"#, #"{"shopOrderNumber":"","shopBillId":"1"}"#,
            #"{"shopOrderNumber":["ORDER-1"],"shopBillId":"1"}"#,
            #"{"shopOrderNumber":"A","shop_order_number":"B","shopBillId":"1"}"#,
            #"{"shopOrderNumber":"A","shopOrderNumber":"B","shopBillId":"1"}"#,
            #"[{"shopOrderNumber":"ORDER-1","shopBillId":"1"}]"#,
            #"{"a":[[[[["b"]]]]],"shopOrderNumber":"A","shopBillId":"1"}"#,
        ])
    func badJSON(text: String) {
        #expect(throws: PortmoneNotificationError.self) { try json(text) }
    }

    @Test(
        "XML that is not a list of bills is refused",
        arguments: [
            "<BILLS/>", "<BILL/>", "<bills><bill/></bills>", "<BILLS><BILL/></BILLS>", "<BILLS>x</BILLS>",
            "<BILLS><BILL><BILL_ID>1</BILL_ID></BILL></BILLS>",
            "<BILLS><BILL><BILL_ID>1</BILL_ID><BILL_NUMBER>A</BILL_NUMBER></BILL><OTHER/></BILLS>",
            "<BILLS><BILL><BILL_ID>1</BILL_ID><BILL_ID>2</BILL_ID><BILL_NUMBER>A</BILL_NUMBER></BILL></BILLS>",
            "<BILLS><BILL><BILL_ID><X>1</X></BILL_ID><BILL_NUMBER>A</BILL_NUMBER></BILL></BILLS>",
            "<BILLS><BILL><PAYEE/><PAYEE/><BILL_ID>1</BILL_ID><BILL_NUMBER>A</BILL_NUMBER></BILL></BILLS>",
            #"<!DOCTYPE BILLS [<!ENTITY n "A">]><BILLS><BILL><BILL_ID>1</BILL_ID><BILL_NUMBER>&n;</BILL_NUMBER></BILL></BILLS>"#,
            "<BILLS>" + String(repeating: "<BILL><BILL_ID>1</BILL_ID><BILL_NUMBER>A</BILL_NUMBER></BILL>", count: 51)
                + "</BILLS>",
        ])
    func badXML(xml: String) {
        #expect(throws: PortmoneNotificationError.self) { try form(xml: xml) }
    }

    @Test(
        "a form without one field of the name data is refused",
        arguments: [
            "", "Data=<BILLS/>", "data", "data=", "data=%", "data=%4", "data=%zz", "data=%3C&data=%3C", "x=%f&data=a",
        ])
    func badForms(body: String) {
        #expect(throws: PortmoneNotificationError.self) { try form(body) }
    }

    @Test("S4: a notification has bounds")
    func bounds() {
        #expect(throws: PortmoneNotificationError.tooLarge) {
            try form(String(repeating: "a", count: PortmoneNotification.sizeLimit + 1))
        }
        #expect(throws: PortmoneNotificationError.tooLarge) { try form(String(repeating: "a=b&", count: 60)) }
        #expect(throws: PortmoneNotificationError.self) {
            try form(xml: String(repeating: "<BILLS>", count: 9_000))
        }
    }

    @Test("S6: no body traps, whatever it is")
    func randomBodies() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<3_000 {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                Array("<>&=%+BILS_/;#x0123\"{}[]:,data \u{1}".utf8).randomElement(using: &random) ?? 0
            }
            for format in PortmoneNotification.Format.allCases {
                _ = try? PortmoneNotification(reading: Array("data=".utf8) + bytes, as: format)
                _ = try? PortmoneNotification(reading: bytes, as: format)
            }
        }
    }

    @Test("each form is acknowledged in its own words")
    func acknowledgements() throws {
        let json = try json(#"{"shopOrderNumber":"ORDER-1","shopBillId":"1"}"#).acknowledgement(unixTime: 1_700_000_000)
        #expect(json.contentType == "application/json")
        #expect(
            String(decoding: json.body, as: UTF8.self) == #"{"errorCode":"0","reason":"OK","responseId":"1700000000"}"#)
        let xml = try form(xml: PlainXMLTests.document).acknowledgement(unixTime: 1)
        #expect(String(decoding: xml.body, as: UTF8.self) == "OK")
    }

    @Test("the content type says which form it is")
    func contentTypes() {
        #expect(PortmoneNotification.Format(contentType: "application/json; charset=utf-8") == .json)
        #expect(PortmoneNotification.Format(contentType: "Application/X-WWW-Form-URLEncoded") == .form)
        #expect(PortmoneNotification.Format(contentType: "text/xml") == nil)
    }
}
