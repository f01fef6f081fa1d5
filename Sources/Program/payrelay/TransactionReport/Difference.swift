/// A difference between a report and the journal.
struct Difference: Sendable, Equatable {
    enum Kind: String, Sendable, CaseIterable {
        /// The report has a successful payment whose reference the journal does not have.
        case unknownHere = "unknown_here"
        /// The journal has a movement of money that the report does not have.
        case unknownThere = "unknown_there"
        case amount
        case currency
        case state
        /// The report has a capture, void or refund that the journal does not have.
        case operationUnknownHere = "operation_unknown_here"
        /// The report has the movement in its period, but the journal has it at another time; or the line's date
        /// is outside the period.
        case otherTime = "other_time"
        /// The movements of the payment in the period are in the archive, which could not be read.
        case notComparable = "not_comparable"
        /// The journal's record of the payment cannot be read.
        case unreadable
    }

    /// The part of the payment that differs.
    enum Subject: String, Sendable {
        case charge, capture, refund, void
    }

    let kind: Kind
    let merchantReference: String
    /// The report's first line about the payment, counted from 1, if any.
    let line: Int?
    let subject: Subject
    /// The values in the report (`reported…`) and in the journal (`recorded…`); `nil` if absent. Amounts are in minor
    /// units. Those of the journal are the amounts that moved in the compared period.
    let reportedState: String?
    let recordedState: String?
    let reportedAmount: Int?
    let recordedAmount: Int?
    let reportedCurrency: String?
    let recordedCurrency: String?
    /// Why the payment could not be compared; `nil` for other differences.
    let reason: String?

    init(
        _ kind: Kind, _ merchantReference: String, line: Int?, _ subject: Subject,
        states: (reported: String?, recorded: String?) = (nil, nil),
        amounts: (reported: Int?, recorded: Int?) = (nil, nil),
        currencies: (reported: String?, recorded: String?) = (nil, nil), reason: String? = nil
    ) {
        self.reason = reason
        self.kind = kind
        self.merchantReference = merchantReference
        self.line = line
        self.subject = subject
        (reportedState, recordedState) = states
        (reportedAmount, recordedAmount) = amounts
        (reportedCurrency, recordedCurrency) = currencies
    }
}
