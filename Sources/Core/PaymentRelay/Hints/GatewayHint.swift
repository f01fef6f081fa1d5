public import PayrelayPrimitives

/// A notification of a gateway. It proves nothing, even if it is signed. It makes the relay query the gateway, and
/// the answer decides.
public struct GatewayHint: Sendable, Equatable {
    /// The charge or operation that the notification is about.
    public enum Subject: Sendable, Equatable {
        case charge(Order.Command)
        case operation(OperationCommand)
    }

    /// The outcome that the notification claims.
    public enum Statement: String, Sendable, CaseIterable {
        case authorized, captured, declined, voided, refunded
        /// The notification says neither yes nor no.
        case undecided
    }

    /// The merchant's name of the account whose key signed the notification.
    public let account: String
    public let merchantReference: String
    public let subject: Subject
    public let statement: Statement
    /// The amount in the notification; `nil` if absent or malformed.
    public let amount: MinorUnits?
    /// ISO 4217, alphabetic; `nil` if absent.
    public let currency: String?
    /// The gateway's number of the charge: 1 to 40 ASCII letters, digits, hyphens and underscores. `nil` if absent
    /// or malformed.
    public let gatewayReference: String?

    public init(
        account: String, merchantReference: String, subject: Subject, statement: Statement, amount: MinorUnits?,
        currency: String?, gatewayReference: String?
    ) {
        self.account = account
        self.merchantReference = merchantReference
        self.subject = subject
        self.statement = statement
        self.amount = amount
        self.currency = currency
        self.gatewayReference = gatewayReference.flatMap { $0.isChargeNumber ? $0 : nil }
    }
}

extension GatewayHint {
    /// Whether the hint is about a capture, a void or a refund.
    var isOfOperation: Bool { if case .operation = subject { true } else { false } }
}

extension String {
    /// Whether the text can be a gateway's number of a charge. Anyone may write a notification, so the number is
    /// bounded before it is stored. It contains no space, because spaces separate the numbers in a journal.
    var isChargeNumber: Bool {
        (1...40).contains(utf8.count)
            && utf8.allSatisfy {
                $0.isASCIIDigit || $0.isASCIILetter || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
    }
}

/// A journal keeps a hint in one row, by its reference and its account. Everything else is in a text.
extension GatewayHint {
    /// Everything except the reference and the account, as JSON text. Two hints that say the same have the same
    /// text.
    public var storedText: String {
        var json: JSONObject = ["statement": .string(statement.rawValue)]
        switch subject {
        case .charge(let command): json["charge"] = .string(command.rawValue)
        case .operation(let command): json["operation"] = .string(command.rawValue)
        }
        json["amount"] = amount.map { JSON($0) }
        json["currency"] = currency.map { .string($0) }
        json["processor_reference"] = gatewayReference.map { .string($0) }
        return String(decoding: JSON.object(json).encoded(), as: UTF8.self)
    }

    /// Reads a hint from a journal; `nil` for a text that no version of this code wrote.
    public init?(account: String, merchantReference: String, storedText: String) {
        guard let json = (try? JSON(parsing: Array(storedText.utf8)))?.objectValue,
            let statement = json["statement"]?.stringValue.flatMap(Statement.init)
        else { return nil }
        let subject: Subject
        switch (json["charge"]?.stringValue, json["operation"]?.stringValue) {
        case (let command?, nil):
            guard let command = Order.Command(rawValue: command) else { return nil }
            subject = .charge(command)
        case (nil, let command?):
            guard let command = OperationCommand(rawValue: command) else { return nil }
            subject = .operation(command)
        default: return nil
        }
        let amount: MinorUnits?
        switch json["amount"] {
        case nil: amount = nil
        case .number(let literal)?:
            guard let read = MinorUnits(parsing: literal) else { return nil }
            amount = read
        default: return nil
        }
        self.init(
            account: account, merchantReference: merchantReference, subject: subject, statement: statement,
            amount: amount,
            currency: json["currency"]?.stringValue, gatewayReference: json["processor_reference"]?.stringValue)
    }
}
