import FoundationEssentials
public import PaymentRelay
package import PayrelayPrimitives

/// A list of payments as CSV (RFC 4180): UTF-8, commas, CRLF.
public struct PaymentCSV: Sendable {
    /// The members of ``Payment/listing`` in the order of the columns.
    public let columns: [String]
    /// The time zone of the reader; `nil` for a file that programs read.
    private let zone: ClockZone?

    /// Creates a list for programs.
    ///
    /// - Parameter vocabulary: the vocabulary of the gateways whose payments are listed.
    public init(_ vocabulary: AnswerVocabulary) { self.init(vocabulary, forPeopleIn: nil) }

    /// Creates a list for people, or for programs if `zone` is `nil`.
    ///
    /// - Parameters:
    ///   - vocabulary: the vocabulary of the gateways whose payments are listed.
    ///   - zone: the time zone of the people who read the list in a spreadsheet. The list then also has amounts
    ///     in major units, times in that zone and the customer, and texts that a spreadsheet does not interpret
    ///     (``CSVRecord/literal(_:)``).
    package init(_ vocabulary: AnswerVocabulary, forPeopleIn zone: ClockZone?) {
        self.zone = zone
        columns =
            [
                "merchant_reference", "claimed_at", "command", "outcome", "amount", "currency", "captured_amount",
                "refunded_amount",
            ] + vocabulary.listed + [
                "apple_transaction_identifier", "processor", "account", "client", "made_elsewhere",
                ResolvedByHand.member,
            ]
            + (zone.map {
                [
                    "amount_decimal", "captured_decimal", "refunded_decimal", "claimed_at \($0)", "customer_email",
                    "card_display_name",
                ]
            } ?? [])
    }

    public var header: String { row(columns) }

    /// Returns the row of a payment.
    ///
    /// - Parameter shown: returns the text of a cell as its reader may see it.
    public func row(_ payment: Payment, showing shown: (String) -> String = { $0 }) -> String {
        let listing = payment.listing
        let forPeople = forPeople(payment)
        return row(
            columns.dropLast(forPeople.count).map { column in
                switch listing[column] {
                case .string(let text): zone == nil ? shown(text) : CSVRecord.literal(shown(text))
                case .number(let digits): digits
                case .bool(let truth): "\(truth)"
                case .null, .array, .object, nil: ""
                }
            } + forPeople.map(shown))
    }

    private func forPeople(_ payment: Payment) -> [String] {
        guard let zone else { return [] }
        let amounts = [payment.amount, payment.balance.captured, payment.balance.refunded].map { amount in
            Currency(code: payment.currency).map { amount.text(in: $0) } ?? ""
        }
        return amounts + [
            zone.text(of: payment.claimedAt), CSVRecord.literal(payment.customer.email ?? ""),
            CSVRecord.literal(payment.customer.cardDisplayName ?? ""),
        ]
    }

    private func row(_ cells: [String]) -> String { CSVRecord.text(cells) + "\r\n" }
}
