import PayrelayPrimitives

/// FORT's `response_code`: a status of two digits, then a message of three.
public struct FortCode: Hashable, Sendable, CustomStringConvertible {
    /// The two digits of the status, the outcome of the order. `14` is "Purchase Success."
    public let status: String
    /// The three digits of the message, the reason. `000` is "Success."
    public let message: String

    init(status: String, message: String) {
        self.status = status
        self.message = message
    }

    /// Parses a code of five digits; `nil` for any other text.
    public init?(_ text: String) {
        guard text.utf8.count == 5, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        self.init(status: String(text.prefix(2)), message: String(text.suffix(3)))
    }

    public var description: String { status + message }

    /// FORT's English text for the status; `nil` if FORT's documentation does not list the status.
    public var statusText: String? { FortCodeEntry.byStatus[status]?.texts[0] }

    /// FORT's English text for the message; `nil` if FORT's documentation does not list the message.
    public var messageText: String? { FortCodeEntry.byMessage[message]?.texts[0] }

    /// Advice to the merchant about this code; `nil` if a merchant cannot change anything.
    public var advice: String? { FortCodeEntry.byMessage[message]?.advice }
}
