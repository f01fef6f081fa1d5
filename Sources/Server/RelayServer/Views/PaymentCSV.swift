public import PaymentRelay
import PayrelayPrimitives

/// A list of payments as RFC 4180 has it: UTF-8, comma, CRLF.
public struct PaymentCSV: Sendable {
    /// The members of ``Payment/listing`` in their order.
    public let columns: [String]

    /// - Parameter vocabulary: of the processors whose payments are listed.
    public init(_ vocabulary: AnswerVocabulary) {
        columns =
            [
                "merchant_reference", "claimed_at", "command", "outcome", "amount", "currency", "captured_amount",
                "refunded_amount",
            ] + vocabulary.listed + [
                "apple_transaction_identifier", "processor", "account", "client", "made_elsewhere",
            ]
    }

    public var header: String { row(columns) }

    /// - Parameter shown: a cell's text as its reader is to get it.
    public func row(_ payment: Payment, showing shown: (String) -> String = { $0 }) -> String {
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

    private func row(_ cells: [String]) -> String { CSVRecord.text(cells) + "\r\n" }
}
