/// One row of the table of FORT's codes: what a code says, what it means, and what helps.
public struct FortCodeEntry: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Five digits: a status and a message.
        case response
        /// Two digits.
        case status
        /// Three digits.
        case message
        /// Code of the bank that acquires the merchant's payments.
        case acquirer
    }

    public let kind: Kind
    public let code: String
    /// FORT's English: the status's and the message's for a response, every meaning for an acquirer's code.
    public let texts: [String]
    /// Nil where the code alone does not tell.
    public let `class`: FortCode.Class?
    let situation: FortSituation
    /// What helps: advice to the merchant; nil if a merchant can change nothing. FORT's documentation gives none of it.
    public let advice: String?

    init(
        _ kind: Kind, _ code: String, _ texts: [String], class: FortCode.Class?, _ situation: FortSituation,
        advice: String? = nil
    ) {
        self.kind = kind
        self.code = code
        self.texts = texts
        self.class = `class`
        self.situation = situation
        self.advice = advice
    }

    /// Looks a code up in the table: a response code of five digits, a status of two, a message of three. Nil if FORT's documentation does
    /// not list it.
    public init?(_ code: String) {
        switch code.utf8.count {
        case 2:
            guard let status = Self.byStatus[code] else { return nil }
            self = status
        case 3:
            guard let message = Self.byMessage[code] else { return nil }
            self = message
        default:
            guard let response = FortCode(code), let status = Self.byStatus[response.status],
                let message = Self.byMessage[response.message]
            else { return nil }
            self.init(
                .response, code, status.texts + message.texts, class: response.class,
                response.situation(in: response.class), advice: message.advice)
        }
    }

    /// Looks an acquirer's code up in the table; nil if FORT's documentation does not list it.
    public init?(acquirerCode code: String) {
        guard let entry = Self.byAcquirerCode[code] else { return nil }
        self = entry
    }

    /// Every status and every message, ascending.
    public static let all = statuses + messages

    static let byStatus = Dictionary(uniqueKeysWithValues: statuses.map { ($0.code, $0) })
    static let byMessage = Dictionary(uniqueKeysWithValues: messages.map { ($0.code, $0) })
    static let byAcquirerCode = Dictionary(uniqueKeysWithValues: ofAcquirers.map { ($0.code, $0) })

    /// Sentences about this code alone. For a payment that also has an acquirer's code, or for an operation, use
    /// ``FortCode/sentences(answering:acquirerCode:)``, which knows both.
    ///
    /// The sentences about an acquirer's code hold only if FORT's own code says that the payment was declined.
    public var sentences: FortSentences {
        switch kind {
        case .response: FortCode(code)?.sentences() ?? FortSentences(.uncertain)
        case .status, .message, .acquirer: FortSentences(situation)
        }
    }
}
