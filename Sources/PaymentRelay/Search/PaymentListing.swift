public import PayrelayPrimitives
import FoundationEssentials

extension Payment {
    /// The payment in a list: what it is, where it stands, and what the processor called it. The whole of it, and the customer's data,
    /// is where one payment is asked for.
    public var listing: JSONObject {
        var json: JSONObject = [
            "merchant_reference": .string(merchantReference),
            "claimed_at": .string(claimedAt.rfc3339InMilliseconds),
            "command": .string(command.rawValue),
            "outcome": .string(state.rawValue),
            "amount": JSON(amount),
            "currency": .string(currency),
            "captured_amount": JSON(balance.captured),
            "refunded_amount": JSON(balance.refunded),
        ]
        for name in Self.shownOfSummary { json[name] = summary[name]?.stringValue.map { .string($0) } }
        json["apple_transaction_identifier"] = appleTransactionIdentifier.map { .string($0) }
        json["account"] = account.map { .string($0) }
        json["client"] = client.map { .string($0) }
        json["made_elsewhere"] = isMadeElsewhere ? true : nil
        return json
    }

    private static let shownOfSummary = [
        "fort_id", "payment_option", "card_number", "authorization_code", "response_code", "response_class",
        "response_message",
    ]
}

/// A list of payments as RFC 4180 has it: UTF-8, comma, CRLF.
public enum PaymentCSV {
    /// The members of ``Payment/listing`` in their order.
    public static let columns = [
        "merchant_reference", "claimed_at", "command", "outcome", "amount", "currency", "captured_amount",
        "refunded_amount", "fort_id", "payment_option", "card_number", "authorization_code", "response_code",
        "response_class", "response_message", "apple_transaction_identifier", "account", "client", "made_elsewhere",
    ]

    public static var header: String { row(columns) }

    public static func row(_ payment: Payment) -> String { row(payment) { $0 } }

    /// - Parameter shown: a cell's text as its reader is to get it.
    public static func row(_ payment: Payment, showing shown: (String) -> String) -> String {
        let listing = payment.listing
        return row(
            columns.map { column in
                switch listing[column] {
                case .string(let text): shown(text)
                case .number(let digits): digits
                case .bool(let truth): "\(truth)"
                case .null, .array, .object, nil: ""
                }
            })
    }

    private static func row(_ cells: [String]) -> String { CSVRecord.text(cells) + "\r\n" }
}
