import PaymentRelay
import PayrelayPrimitives
import PortmoneAPI

extension GatewayAnswer {
    /// - Parameters:
    ///   - entry: the entry that proves the answer; `nil` if there is none.
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
    /// Returns the fields for the top of an answer, which the payments of every gateway share.
    ///
    /// - Parameter bill: the bill's number; `nil` if it is not known.
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

    /// The members that are stored and shown to clients, under Portmone's names. The token of a stored card,
    /// sign-in credentials and the URL of the bank's page are left out.
    fileprivate var kept: JSONObject {
        members.filter { !Self.secrets.contains($0.name.replacingEach("_", with: "").lowercasedASCII) }
    }

    private static let secrets: Set = [
        "actionmpi", "login", "md", "pareq", "password", "paymentdata", "token", "tokenexpdate",
    ]
}
