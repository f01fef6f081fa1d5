import PayrelayPrimitives

/// Parses the XML of a notification: `<BILLS><BILL>…</BILL></BILLS>`, a list of paid bills. The format is
/// documented only by the community: two third-party clients parse it.
enum BillsDocument {
    private static let billLimit = 50

    static func notices(in xml: [UInt8]) throws(PortmoneNotificationError) -> [PortmoneNotice] {
        let root = try refused { () throws(PlainXMLError) in try PlainXML.root(of: xml) }
        guard root.name.isExactly("BILLS"), !root.children.isEmpty,
            root.children.allSatisfy({ $0.name.isExactly("BILL") })
        else { throw .notBills }
        guard root.children.count <= billLimit else { throw .tooLarge }
        var notices: [PortmoneNotice] = []
        for bill in root.children {
            let payee = try refused { () throws(PlainXMLError) in try bill.child("PAYEE") }
            let notice = try PortmoneNotice(
                shopOrderNumber: try text("BILL_NUMBER", of: bill), shopBillID: try text("BILL_ID", of: bill),
                status: .payed,
                payeeID: try payee.flatMap { element throws(PortmoneNotificationError) in
                    try text("CODE", of: element)
                }, amountText: try text("PAYED_AMOUNT", of: bill))
            if let notice { notices.append(notice) }
        }
        return notices
    }

    /// Returns the text of a child element; `nil` if there is no such element, or if it is empty.
    private static func text(_ name: String, of element: PlainXML.Element) throws(PortmoneNotificationError) -> String?
    {
        let child = try refused { () throws(PlainXMLError) in try element.child(name) }
        guard let child else { return nil }
        guard child.children.isEmpty else { throw .notBills }
        return child.text.isEmpty ? nil : child.text
    }

    private static func refused<Value>(
        _ read: () throws(PlainXMLError) -> Value
    ) throws(PortmoneNotificationError) -> Value {
        do throws(PlainXMLError) {
            return try read()
        } catch {
            throw .notXML(error)
        }
    }
}
