import PayrelayPrimitives

/// The receipt that a phone with an order token gets: the members that are listed here, in their order, and no others. It contains
/// neither FORT's whole answer, which names the merchant's account and is signed with its phrase, nor what a later version adds to
/// receipts.
///
/// It is made of the stored receipt alone: of the same bytes come the same bytes.
enum PhoneReceipt {
    /// Of a receipt, and of a payment that is looked up.
    private static let members: Set = [
        "merchant_reference", "command", "outcome", "amount", "currency", "simulated", "reason", "response_code",
        "response_class",
        "status", "response_message", "fort_id", "payment_option", "authorization_code", "card_number", "eci",
        "apple_transaction_identifier", "captured_amount", "refunded_amount", "operations", "history",
    ]

    /// Of a capture, a void or a refund.
    private static let operationMembers: Set = ["command", "outcome", "amount", "currency", "begun_at"]

    /// Of an entry in the history.
    private static let historyMembers: Set = ["at", "outcome"]

    static func of(receipt bytes: [UInt8]) -> [UInt8] {
        // Receipts are this service's own JSON; anything else is not shown.
        guard let receipt = (try? JSON(parsing: bytes))?.objectValue else { return [] }
        return JSON.object(of(receipt)).encoded()
    }

    static func of(_ payment: JSONObject) -> JSONObject {
        var view = payment.filter { members.contains($0.name) }
        view["operations"] = view["operations"].map { each(of: $0, operationMembers) }
        view["history"] = view["history"].map { each(of: $0, historyMembers) }
        return view
    }

    private static func each(of list: JSON, _ members: Set<String>) -> JSON {
        .array(
            (list.arrayValue ?? []).compactMap(\.objectValue).map { .object($0.filter { members.contains($0.name) }) })
    }
}
