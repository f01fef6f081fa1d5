/// One line of the table of FORT's codes: what a code says and what to do about it.
public struct FortCodeEntry: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Five digits: a status and a message.
        case response
        /// Two digits.
        case status
        /// Three digits.
        case message
        /// Code of the acquirer, see ``FortAcquirerCode``.
        case acquirer
    }

    public let kind: Kind
    public let code: String
    /// FORT's English: the status's and the message's for a response, every meaning for an acquirer's code.
    public let texts: [String]
    /// Nil where the code alone does not tell.
    public let `class`: FortCode.Class?
    /// Advice to the merchant; nil if there is none.
    public let advice: String?

    /// Looks a code up in FORT's documentation: a response code of five digits, a status of two, a message of three.
    /// Nil if the documentation does not list it.
    public init?(_ code: String) {
        switch code.utf8.count {
        case 2:
            guard let text = FortCode.statuses[code] else { return nil }
            self.init(.status, code, [text], FortCodeEntry.class(ofStatus: code))
        case 3:
            guard let text = FortCode.messages[code] else { return nil }
            self.init(.message, code, [text], FortCode.classOfMessage(code), advice: FortCode.advice[code])
        default:
            guard let response = FortCode(code), let status = response.statusText, let message = response.messageText
            else { return nil }
            self.init(.response, code, [status, message], response.class, advice: response.advice)
        }
    }

    /// Looks an acquirer's code up in FORT's documentation; nil if the documentation does not list it.
    public init?(acquirerCode code: String) {
        guard let texts = FortAcquirerCode.texts[code] else { return nil }
        self.init(.acquirer, code, texts, nil)
    }

    /// Every status and every message, ascending.
    public static let all = (FortCode.statuses.keys.sorted() + FortCode.messages.keys.sorted())
        .compactMap { FortCodeEntry($0) }

    /// Every acquirer code, ascending.
    public static let ofAcquirers = FortAcquirerCode.texts.keys.sorted().compactMap(FortCodeEntry.init(acquirerCode:))

    private init(
        _ kind: Kind, _ code: String, _ texts: [String], _ class: FortCode.Class?, advice: String? = nil
    ) {
        self.kind = kind
        self.code = code
        self.texts = texts
        self.class = `class`
        self.advice = advice
    }

    /// A success where a command's success begins with it; nil for a failure, of which the message tells more.
    private static func `class`(ofStatus status: String) -> FortCode.Class? {
        switch FortStatus(status) {
        case .done: .success
        case .undecided: .uncertain
        case .chargeFailed, .operationFailed, .requestInvalid, .walletFailed, .queryFailed: nil
        }
    }
}
