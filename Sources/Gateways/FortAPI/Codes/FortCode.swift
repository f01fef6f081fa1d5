import PayrelayPrimitives

/// FORT's `response_code`: a status of two digits, then a message of three.
public struct FortCode: Hashable, Sendable, CustomStringConvertible {
    /// Two digits: what became of the order. `14` is "Purchase Success."
    public let status: String
    /// Three digits: why. `000` is "Success."
    public let message: String

    init(status: String, message: String) {
        self.status = status
        self.message = message
    }

    /// The code that these five digits are; nil for any other text.
    public init?(_ text: String) {
        guard text.utf8.count == 5, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        self.init(status: String(text.prefix(2)), message: String(text.suffix(3)))
    }

    public var description: String { status + message }

    /// FORT's English for the status; nil where its documentation does not list it.
    public var statusText: String? { FortCodeEntry.byStatus[status]?.texts[0] }

    /// FORT's English for the message; nil where its documentation does not list it.
    public var messageText: String? { FortCodeEntry.byMessage[message]?.texts[0] }

    /// Advice to the merchant for this code; nil if a merchant can change nothing.
    public var advice: String? { FortCodeEntry.byMessage[message]?.advice }
}
