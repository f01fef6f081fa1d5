import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives

/// The text in the search box, as people paste it from an email, a bank's letter or this console.
enum SearchText: Equatable {
    /// A parameter of a search, and its value.
    case parameter(String, String)
    /// An amount, with its currency if the text has one.
    case amount(String, currency: String?)
    case days(DayRange)
    /// A card by its network, as the gateway or the phone names it, and its last four digits.
    case card(network: String, lastFour: String)
    /// A card number as the gateway masks it, such as `411111******1111`.
    case maskedCard(String)
    /// A text by which no payment can be found. The associated text says what is missing.
    case unknown(String)

    /// - Parameter today: the current day in the form's zone.
    init(_ pasted: String, today: CalendarDay) {
        guard pasted.utf8.count <= Self.limit else {
            self = .unknown("takes \(Self.limit) bytes at most")
            return
        }
        let text = Self.visible(pasted)
        let bytes = Array(text.utf8)
        let isDigits = bytes.allSatisfy(\.isASCIIDigit)
        if let email = Self.email(in: text) {
            self = .parameter("customer_email", email)
        } else if let named = Self.named(text) {
            self = named
        } else if let outcome = PaymentState.named(text) {
            self = .parameter("outcome", outcome.rawValue)
        } else if isDigits, bytes.count == 4 {
            self = .parameter("card_last_four", text)
        } else if isDigits, (12...20).contains(bytes.count) {
            self = .parameter("processor_reference", text)
        } else if bytes.count == 64, (try? HexText(text)) != nil {
            // References are shorter.
            self = .parameter("apple_transaction_identifier", text)
        } else if let mask = Self.mask(text) {
            self = .maskedCard(mask)
        } else if let (network, digits) = Self.card(text) {
            self = network.map { .card(network: $0, lastFour: digits) } ?? .parameter("card_last_four", digits)
        } else if let (amount, currency) = Self.amount(in: text) {
            self = .amount(amount, currency: currency)
        } else if let phone = Self.phoneNumber(text) {
            self = phone
        } else if Self.isWholeCardNumber(bytes) {
            self = .unknown("takes no whole card number: search for its last four digits")
        } else if let days = DayRange(words: text, today: today) {
            self = .days(days)
        } else if (1...40).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) {
            self = .parameter("merchant_reference_prefix", text)
        } else if Self.isName(text) {
            self = .parameter("customer_name", text)
        } else {
            self = .unknown(
                "found nothing to search for. It takes an email, a phone number, a name, a card's last four digits, an amount such as 349.50 AED, a reference, or a number of the gateway's or Apple's"
            )
        }
    }

    /// The limit in bytes.
    private static let limit = 254

    /// Returns the email address in a text such as `sara@example.com` or `Sara <sara@example.com>`; `nil` if
    /// there is none.
    static func email(in text: String) -> String? {
        guard text.has("@"), text.utf8.count <= limit else { return nil }
        let address = text.cut(at: "<").after.map { String($0.cut(at: ">").before).trimmedOfWhiteSpace }
        return address.flatMap { $0.has("@") ? $0 : nil } ?? text
    }

    /// Returns a full masked number with a star for each hidden digit, such as `411111******1111` for
    /// `411111XXXXXX1111`; `nil` if its beginning does not identify the network.
    private static func mask(_ text: String) -> String? {
        var mask = ""
        for scalar in text.unicodeScalars where scalar != " " && scalar != "-" {
            switch scalar {
            case "0"..."9": mask.unicodeScalars.append(scalar)
            case _ where masks.contains(scalar) || lettersOfMasks.contains(scalar): mask += "*"
            default: return nil
            }
        }
        let (beginning, end) = (mask.utf8.prefix(while: \.isASCIIDigit), mask.utf8.suffix(4))
        let hidden = mask.utf8.dropFirst(beginning.count).dropLast(4)
        guard (4...8).contains(beginning.count), (13...19).contains(mask.utf8.count), end.allSatisfy(\.isASCIIDigit),
            !hidden.isEmpty, hidden.allSatisfy({ $0 == UInt8(ascii: "*") })
        else { return nil }
        return mask
    }

    /// Returns a card in a masked or named form, such as `**** 1111`, `•••• 1111` or `Visa 0492`. The network is
    /// `nil` if the text does not name one.
    private static func card(_ text: String) -> (network: String?, lastFour: String)? {
        let end = text.utf8.suffix(4)
        guard text.utf8.count > 4, end.allSatisfy(\.isASCIIDigit) else { return nil }
        let before = String(Substring(text.utf8.dropLast(4)))
        let digits = String(decoding: end, as: UTF8.self)
        let scalars = before.unicodeScalars
        let isMasked =
            (scalars.contains { masks.contains($0) } || scalars.count { lettersOfMasks.contains($0) } >= 4)
            && scalars.allSatisfy {
                masks.contains($0) || lettersOfMasks.contains($0) || " -0123456789".unicodeScalars.contains($0)
            }
        if isMasked { return (nil, digits) }
        // Banks write `MasterCard •••• 0492`.
        let words = before.lowercasedASCII.parts(at: " ").filter { word in
            !word.isEmpty && !word.unicodeScalars.allSatisfy { masks.contains($0) }
        }
        let word = words.joined(separator: " ")
        guard before.utf8.last == UInt8(ascii: " ") || words.count < before.parts(at: " ").filter({ !$0.isEmpty }).count
        else { return nil }
        if let network = networks[word] { return (network, digits) }
        return wordsBeforeCards.contains(word) ? (nil, digits) : nil
    }

    private static let masks: Set<Unicode.Scalar> = ["*", "•", "·", "…"]
    /// Fewer than four of these letters may be the beginning of a reference, such as `#1234` or `X-2041`.
    private static let lettersOfMasks: Set<Unicode.Scalar> = ["x", "X", "#"]

    /// The networks as people and phones name them, with the gateways' names.
    private static let networks = [
        "american express": "amex", "amex": "amex", "discover": "discover", "jcb": "jcb", "mada": "mada",
        "maestro": "maestro", "mastercard": "mastercard", "master card": "mastercard", "meeza": "meeza", "mir": "mir",
        "unionpay": "unionpay", "visa": "visa",
    ]

    private static let wordsBeforeCards: Set<String> = ["card", "ending", "ending in"]

    private static func isWholeCardNumber(_ bytes: [UInt8]) -> Bool {
        let digits = bytes.count(where: \.isASCIIDigit)
        return (13...19).contains(digits) && bytes.count > digits
            && bytes.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-") }
            && (bytes.contains(UInt8(ascii: " ")) || bytes.count { $0 == UInt8(ascii: "-") } == 3)
    }

    /// Returns an amount such as `349.50 AED` or `AED 349.50`. Without a currency, the text must have a
    /// separator, which shows that it is an amount.
    private static func amount(in text: String) -> (String, currency: String?)? {
        for (code, rest) in [
            (text.utf8.prefix(3), text.utf8.dropFirst(3)), (text.utf8.suffix(3), text.utf8.dropLast(3)),
        ] {
            let code = String(Substring(code)).uppercasedASCII
            if Currency(code: code) != nil, let number = DecimalText.plain(String(Substring(rest))) {
                return (number, code)
            }
        }
        guard text.unicodeScalars.contains(where: { ".,٫٬".unicodeScalars.contains($0) }) else { return nil }
        return DecimalText.plain(text).map { ($0, nil) }
    }
}
