import PaymentRelay
import PayrelayPrimitives
import PortmoneAPI

extension ProcessorAnswer {
    /// - Parameters:
    ///   - entry: the entry that says it; nil where none does.
    ///   - reference: Portmone's number of the bill.
    init(
        _ meaning: Meaning, entry: PortmoneEntry?, reference: String?, authorized: MinorUnits? = nil,
        captured: MinorUnits? = nil, totals: Balance? = nil
    ) {
        self.init(
            meaning: meaning, authorized: authorized, captured: captured, totals: totals, reference: reference,
            shown: entry?.summary(bill: reference) ?? JSONObject(), response: entry?.kept ?? JSONObject(),
            fields: PortmoneProcessor.answerFields)
    }
}

extension PortmoneEntry {
    /// What a caller looks at first, under the names that every processor's payments have.
    ///
    /// - Parameter bill: its number, where it is known.
    fileprivate func summary(bill: String?) -> JSONObject {
        var summary = JSONObject()
        summary["shop_bill_id"] = bill.map { .string($0) }
        summary["status"] = status.map { .string($0.rawValue) }
        summary["response_message"] = (failure?.text ?? nil).map { .string($0) }
        summary["payment_option"] = cardTypeName.map { .string($0) }
        summary["authorization_code"] = authorizationCode.map { .string($0) }
        summary["card_number"] = cardMask.map { .string($0) }
        return summary
    }

    /// What is kept, and shown to clients, under Portmone's own names: all but what pays (a stored card's token), what signs in, and the
    /// customer's way to the bank's page.
    fileprivate var kept: JSONObject {
        members.filter { !Self.secrets.contains($0.name.replacingEach("_", with: "").lowercasedASCII) }
    }

    private static let secrets: Set = [
        "actionmpi", "login", "md", "pareq", "password", "paymentdata", "token", "tokenexpdate",
    ]
}
