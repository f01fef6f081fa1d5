import FoundationEssentials
import GatewayModule
import PayrelayPrimitives

/// The content of one line of a report.
struct ReportLine: Sendable, Equatable {
    /// The kind of a line. The raw values are stored in the table of the lines.
    enum Kind: Int, Sendable {
        case authorized = 1
        case purchased = 2
        case captured = 3
        case refunded = 4
        case voided = 5
        /// A failed purchase or authorization.
        case failedCharge = 6
        /// A failed capture, void or refund, or a line that may be one.
        case failedOperation = 7
        /// No money is taken or held.
        case unpaid = 8

        /// Whether the line states that money was moved or authorized.
        var isSuccess: Bool {
            switch self {
            case .authorized, .purchased, .captured, .refunded, .voided: true
            case .failedCharge, .failedOperation, .unpaid: false
            }
        }
    }

    let merchantReference: String
    let kind: Kind
    let amount: MinorUnits
    /// The alphabetic ISO 4217 code.
    let currency: String
    /// The time of the operation with the precision of the report; `nil` if the report has no times.
    let at: Range<Date>?
}

/// Why a line cannot be read. It contains no text of the line, which may have a customer's data.
struct MalformedLine: Error, Equatable {
    let reason: String
}

/// Reads the lines of a report strictly: an ambiguous line is malformed.
struct ReportLineReader: Sendable {
    let columns: ReportColumns
    let form: ReportForm
    /// The ``GatewayModule/reportedOutcome(_:)`` of the account's gateway.
    let code: @Sendable (String) -> ReportedOutcome?

    /// Reads one line.
    ///
    /// - Parameter field: returns the text of a column; `nil` if it is not UTF-8.
    func line(fieldCount: Int, _ field: (Int) -> String?) throws(MalformedLine) -> ReportLine {
        guard fieldCount == columns.count else {
            throw MalformedLine(reason: "it has \(fieldCount) fields, and the header has \(columns.count)")
        }
        let reference = try text(.merchantReference, field) ?? ""
        guard reference.isMerchantReference else {
            throw MalformedLine(reason: "merchant_reference is not 1 to 40 letters, digits, '-', '_' or '.'")
        }
        guard let currency = Currency(code: try text(.currency, field) ?? "") else {
            throw MalformedLine(reason: "currency is not a code of ISO 4217, such as AED")
        }
        let status = try text(.status, field)
        guard let outcome = status.map({ ReportedOutcome(reading: $0, code: code) }) ?? .succeeded(nil) else {
            throw MalformedLine(reason: "status does not say what became of it")
        }
        let named = try text(.command, field)
        let command = named.flatMap { ReportedCommand(reading: $0) }
        guard named == nil || command != nil else { throw Self.unknownCommand }
        let kind = try Self.kind(command, outcome)
        var digits = try text(.amount, field) ?? ""
        let mayBeNegative = kind == .refunded || kind == .failedOperation
        if mayBeNegative, let magnitude = digits.after("-") { digits = String(magnitude) }
        guard let amount = form.amount(digits, of: currency) else {
            throw MalformedLine(reason: "amount is none in \(form.amounts.rawValue) units of its currency")
        }
        var span: Range<Date>?
        if let written = try text(.date, field) {
            guard let read = form.span(written) else { throw MalformedLine(reason: "date cannot be read") }
            span = read
        }
        return ReportLine(
            merchantReference: reference, kind: kind, amount: amount, currency: currency.code, at: span)
    }

    /// Returns the kind of a line.
    ///
    /// - Parameter command: `nil` if the report has no commands. In that case the status may name the command.
    private static func kind(
        _ command: ReportedCommand?, _ outcome: ReportedOutcome
    ) throws(MalformedLine) -> ReportLine.Kind {
        let contradiction = MalformedLine(reason: "command and status contradict each other")
        switch outcome {
        case .succeeded(let known):
            guard let command = command ?? known else { throw unknownCommand }
            guard known == nil || known == command else { throw contradiction }
            return command.success
        case .taken:
            guard command == nil || command == .purchase || command == .capture else { throw contradiction }
            return command == .purchase ? .purchased : .captured
        case .unpaid:
            // An order without money can have neither a capture nor a refund, so the line states that this
            // operation failed.
            return command == .capture || command == .refund ? .failedOperation : .unpaid
        case .failed(let ofCharge):
            if let command, let ofCharge, command.isCharge != ofCharge { throw contradiction }
            // A failure of what may have been a refund says nothing about the charge.
            let isCharge = command?.isCharge ?? ofCharge ?? false
            return isCharge ? .failedCharge : .failedOperation
        }
    }

    private static let unknownCommand = MalformedLine(reason: "command is none that is known")

    /// Returns the trimmed text of a column; `nil` if the report has no such column.
    private func text(_ column: ReportColumn, _ field: (Int) -> String?) throws(MalformedLine) -> String? {
        guard let place = columns.places[column] else { return nil }
        guard let text = field(place) else { throw MalformedLine(reason: "\(column.rawValue) is not UTF-8") }
        return String(text.trimmed)
    }
}

/// The operation of a line, read from the gateway's command or a common word.
extension ReportedCommand {
    init?(reading text: String) {
        switch text.asciiLetters {
        case "authorization", "authorisation", "authorize", "auth": self = .authorization
        case "purchase", "sale", "payment": self = .purchase
        case "capture", "captured": self = .capture
        case "voidauthorization", "voidauthorisation", "void", "voided": self = .voidAuthorization
        case "refund", "refunded": self = .refund
        default: return nil
        }
    }

    fileprivate var success: ReportLine.Kind {
        switch self {
        case .authorization: .authorized
        case .purchase: .purchased
        case .capture: .captured
        case .refund: .refunded
        case .voidAuthorization: .voided
        }
    }
}

extension ReportedOutcome {
    /// Reads a status of the gateway, or a common word. Returns `nil` if the text is neither, or leaves the
    /// outcome open.
    ///
    /// - Parameter code: returns the outcome for a status of the gateway; `nil` if the gateway has no such
    ///   status, or if the status leaves the outcome open.
    init?(reading text: String, code: (String) -> ReportedOutcome?) {
        if let outcome = code(text) {
            self = outcome
            return
        }
        switch text.asciiLetters {
        case "success", "successful", "succeeded", "approved", "completed": self = .succeeded(nil)
        case "authorized", "authorised", "authorizationsuccess": self = .succeeded(.authorization)
        case "purchasesuccess": self = .succeeded(.purchase)
        case "capturesuccess": self = .succeeded(.capture)
        case "refundsuccess", "refunded": self = .succeeded(.refund)
        case "voidsuccess", "voided", "authorizationvoidedsuccessfully": self = .succeeded(.voidAuthorization)
        case "failed", "failure", "declined", "rejected", "error", "cancelled", "canceled", "expired", "invalidrequest":
            self = .failed(ofCharge: nil)
        default: return nil
        }
    }
}

extension String {
    /// The letters in lower case, without the characters between them; empty if the text has characters beyond
    /// ASCII.
    fileprivate var asciiLetters: String {
        guard utf8.allSatisfy({ $0 < 0x80 }) else { return "" }
        return String(decoding: lowercasedASCII.utf8.filter(\.isASCIILetter), as: UTF8.self)
    }
}
