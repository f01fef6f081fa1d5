import FoundationEssentials
import PayrelayPrimitives

extension PortmoneBill {
    /// An element of the answer to `result`: a bill, or a return of a bill.
    struct StatusEntry {
        let status: Status
        let date: Date
        private let bill: PortmoneBill
        private let returned: Return?

        init(_ bill: PortmoneBill) {
            self.bill = bill
            returned = nil
            status = bill.status
            date = bill.createdAt
        }

        init(_ returned: Return, of bill: PortmoneBill) {
            self.bill = bill
            self.returned = returned
            status = .returned
            date = returned.date
        }

        /// The entry as JSON. Every value is a string, and a return's amount is negative.
        var json: JSON {
            let amount = bill.written(returned.map { -$0.amount } ?? bill.billAmount)
            let wasPaid = bill.status == .payed
            var members: [(String, String)] = [
                ("payee_id", bill.payeeId), ("payee_name", "SANDBOX"), ("payee_commission", "0"),
                ("description", bill.echoed["description"] ?? ""), ("status", status.rawValue), ("billAmount", amount),
            ]
            members += (1...5).map { ("attribute\($0)", bill.echoed["attribute\($0)"] ?? "") }
            members += [
                ("commission", "0"), ("bank_id", bill.isCharged ? "1" : ""),
                ("bank_name", bill.isCharged ? "SANDBOX" : ""),
                ("terminal_id", bill.isCharged ? "SANDBOX1" : ""), ("merchant_id", bill.isCharged ? "SANDBOX" : ""),
                ("rrn", bill.retrievalReference), ("pay_date", wasPaid ? date.portmoneMoment : ""),
                ("payee_export_date", ""), ("payee_export_flag", "N"), ("pay_order_date", ""), ("pay_order_number", ""),
                ("pay_order_amount", ""), ("chargeback", ""),
                ("shopBillId", returned?.shopBillId ?? bill.shopBillId), ("shopOrderNumber", bill.shopOrderNumber),
                ("errorCode", bill.decline?.rawValue ?? "0"), ("errorMessage", bill.decline?.text ?? ""),
                ("authCode", bill.authCode), ("cardMask", bill.cardMask), ("cardTypeName", bill.cardNetwork),
                ("token", ""), ("gateType", "applepay"),
            ]
            return .object(JSONObject(members.map { ($0.0, .string($0.1)) }))
        }
    }
}
