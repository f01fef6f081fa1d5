import FoundationEssentials
public import PaymentRelay
package import PayrelayPrimitives

/// A list of payments as RFC 4180 has it: UTF-8, comma, CRLF.
public struct PaymentCSV: Sendable {
    /// The members of ``Payment/listing`` in their order.
    public let columns: [String]
    /// Nil for a file that programs read.
    private let zone: ClockZone?

    /// For programs.
    ///
    /// - Parameter vocabulary: of the gateways whose payments are listed.
    public init(_ vocabulary: AnswerVocabulary) { self.init(vocabulary, forPeopleIn: nil) }

    /// - Parameters:
    ///   - vocabulary: as above.
    ///   - zone: of the people who read it in a spreadsheet. They also get amounts in major units, times of the zone and the customer, and
    ///     texts that a spreadsheet leaves as they are (``CSVRecord/literal(_:)``).
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

    /// - Parameter shown: a cell's text as its reader is to get it.
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
