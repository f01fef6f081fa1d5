import PaymentRelay
import PayrelayPrimitives
import PortmoneAPI

extension GatewayAnswer {
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
            fields: PortmoneGateway.answerFields)
    }
}

extension PortmoneEntry {
    /// Returns the fields that every gateway's payments share, for the top of an answer.
    ///
    /// - Parameter bill: its number, where it is known.
    fileprivate func summary(bill: String?) -> JSONObject {
        var summary = JSONObject()
        summary["shop_bill_id"] = bill.map { .string($0) }
        summary["status"] = status.map { .string($0.rawValue) }
        summary["response_code"] = failure.map { .string($0.code.beginning(40)) }
        summary["response_message"] = (failure?.text ?? nil).map { .string($0) }
        summary["payment_option"] = cardTypeName.map { .string($0) }
        summary["authorization_code"] = authorizationCode.map { .string($0) }
        summary["card_number"] = cardMask.map { .string($0) }
        return summary
    }

    /// Members that are stored and shown to clients, under Portmone's own names. A stored card's token, sign-in
    /// credentials and the URL of the bank's page are left out.
    fileprivate var kept: JSONObject {
        members.filter { !Self.secrets.contains($0.name.replacingEach("_", with: "").lowercasedASCII) }
    }

    private static let secrets: Set = [
        "actionmpi", "login", "md", "pareq", "password", "paymentdata", "token", "tokenexpdate",
    ]
}
