/// A row of the table of FORT's codes: the code's text, meaning and remedy.
public struct FortCodeEntry: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A response code of five digits: a status and a message.
        case response
        /// A status of two digits.
        case status
        /// A message of three digits.
        case message
        /// A code of the acquirer, the bank that acquires the merchant's payments.
        case acquirer
    }

    public let kind: Kind
    public let code: String
    /// FORT's English texts: the status's and the message's text for a response code, every meaning for an
    /// acquirer's code.
    public let texts: [String]
    /// The class of the code; `nil` if the code alone does not decide it.
    public let `class`: FortCode.Class?
    let situation: FortSituation
    /// The remedy, as advice to the merchant; `nil` if a merchant cannot change anything. The advice is
    /// payrelay's; FORT's documentation has none.
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

    /// Looks up a response code of five digits, a status of two or a message of three; `nil` if FORT's
    /// documentation does not list it.
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

    /// Looks up an acquirer's code; `nil` if FORT's documentation does not list it.
    public init?(acquirerCode code: String) {
        guard let entry = Self.byAcquirerCode[code] else { return nil }
        self = entry
    }

    /// Every status, then every message, each ascending.
    public static let all = statuses + messages

    static let byStatus = Dictionary(uniqueKeysWithValues: statuses.map { ($0.code, $0) })
    static let byMessage = Dictionary(uniqueKeysWithValues: messages.map { ($0.code, $0) })
    static let byAcquirerCode = Dictionary(uniqueKeysWithValues: ofAcquirers.map { ($0.code, $0) })

    /// The sentences about this code alone. For an operation, or for a payment with an acquirer's code, use
    /// ``FortCode/sentences(answering:acquirerCode:)``, which takes the command and the acquirer's code.
    ///
    /// The sentences about an acquirer's code hold only if FORT's code says that the payment was declined.
    public var sentences: FortSentences {
        switch kind {
        case .response: FortCode(code)?.sentences() ?? FortSentences(.uncertain)
        case .status, .message, .acquirer: FortSentences(situation)
        }
    }
}
