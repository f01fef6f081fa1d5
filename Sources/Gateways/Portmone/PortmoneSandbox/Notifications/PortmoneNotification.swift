import FoundationEssentials
import PayrelayPrimitives

/// A notification about a bill. It is not signed.
struct PortmoneNotification: Equatable {
    var shopBillId: String
    var shopOrderNumber: String
    /// The amount as it is written, in major units.
    var amount: String
    var status: String
    var payeeId: String
    let authCode: String
    let date: Date

    init(_ bill: PortmoneBill) {
        shopBillId = bill.shopBillId
        shopOrderNumber = bill.shopOrderNumber
        amount = bill.written(bill.billAmount)
        status = bill.status.rawValue
        payeeId = bill.payeeId
        authCode = bill.authCode
        date = bill.createdAt
    }

    func body(_ format: NotificationSettings.Format) -> [UInt8] {
        format == .json ? json.encoded() : Array("data=".utf8) + Self.formEncoded(Array(xml.utf8))
    }

    /// The notification as JSON. Only the members `shopOrderNumber` and `shopBillId` are published.
    private var json: JSON {
        [
            "shopOrderNumber": .string(shopOrderNumber), "shopBillId": .string(shopBillId),
            "billAmount": .string(amount), "status": .string(status),
        ]
    }

    private var xml: String {
        let elements = [
            "<BILLS><BILL><PAYEE><NAME>SANDBOX</NAME>", element("CODE", payeeId), "</PAYEE>",
            "<BANK><NAME>SANDBOX</NAME><CODE>1</CODE><ACCOUNT>1</ACCOUNT></BANK>", element("BILL_ID", shopBillId),
            element("BILL_NUMBER", shopOrderNumber), element("BILL_DATE", date.portmoneDay), "<BILL_PERIOD/>",
            element("PAY_DATE", date.portmoneMoment), element("PAYED_AMOUNT", amount),
            "<PAYED_COMMISSION>0</PAYED_COMMISSION><PAYED_DEBT>0</PAYED_DEBT>", element("AUTH_CODE", authCode),
            "<PAYER><CONTRACT_NUMBER/><ATTRIBUTE1/></PAYER></BILL></BILLS>",
        ]
        return #"<?xml version="1.0" encoding="UTF-8"?>"# + elements.joined()
    }

    private func element(_ name: String, _ text: String) -> String {
        let escaped = text.replacingEach("&", with: "&amp;").replacingEach("<", with: "&lt;")
            .replacingEach(">", with: "&gt;")
        return "<\(name)>\(escaped)</\(name)>"
    }

    /// Encodes bytes as a form's value: letters and digits stay, and every other byte is percent-encoded.
    private static func formEncoded(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return bytes.flatMap { byte in
            byte.isASCIILetter || byte.isASCIIDigit
                ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
}
