public import PaymentRelay
import PayrelayPrimitives

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
