import PaymentRelay
import PayrelayPrimitives

/// Phone numbers, names and the gateways' short numbers in the search box.
extension SearchText {
    /// Returns the other meanings of a text that was read as a reference or as the gateway's number. Each has a
    /// text for ``named(_:)`` and a word for people.
    static func others(_ pasted: String) -> [(text: String, word: String)] {
        let text = visible(pasted)
        var others: [(String, String)] = []
        // Portmone's numbers have nine digits. This meaning precedes that of a phone number, of which only the
        // last digits are compared.
        if (5...11).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) {
            others.append(("gateway", "the gateway's number"))
        }
        // A full card number has as many digits as the longest phone number, so digits that may be a card number
        // are left out.
        let isShort = text.utf8.count(where: \.isASCIIDigit) <= 15 || text.begins(with: "00")
        if isShort, mayBeReference(text), PhoneDigest(of: text) != nil { others.append(("phone", "a phone number")) }
        if isName(text) { others.append(("name", "a name")) }
        let isCode = text.utf8.allSatisfy { $0.isASCIIDigit || $0.isASCIILetter }
        if isCode, text.utf8.count == 5, text.utf8.allSatisfy(\.isASCIIDigit) {
            others.append(("code", "a gateway's code"))
        }
        // Authorization codes of banks have six characters; those of gateways may have more.
        if isCode,
            text.utf8.count == 6 || (7...8).contains(text.utf8.count) && text.utf8.contains(where: \.isASCIIDigit)
        {
            others.append(("auth", "an authorization code"))
        }
        return others.map { ("\($0) \(text)", $1) }
    }

    /// Parses a text that says what it is: `phone 971501234567`, `Name: Sara`, `gateway 123456789`, `auth 123456`
    /// or `code 13012`. Returns `nil` for any other text.
    static func named(_ text: String) -> SearchText? {
        let (word, rest) = text.cut(at: " ")
        guard let value = rest.map({ String($0).trimmedOfWhiteSpace }), !value.isEmpty else { return nil }
        return switch word.dropping(last: ":").lowercasedASCII {
        case "phone": phone(value)
        case "name": .parameter("customer_name", value)
        case "gateway": .parameter("processor_reference", value)
        case "auth": .parameter("authorization_code", value)
        case "code": .parameter("response_code", value)
        default: nil
        }
    }

    /// Returns the text without invisible characters, which phones and mail programs put around numbers and
    /// names.
    static func visible(_ text: String) -> String {
        let scalars = text.unicodeScalars.filter { $0.properties.generalCategory != .format }
        return String(String.UnicodeScalarView(scalars)).trimmedOfWhiteSpace
    }

    /// Returns a phone number; `nil` if the text has characters other than digits, spaces and `+-()./`. A text
    /// that may be a reference, such as plain digits, is not read as a phone number.
    static func phoneNumber(_ text: String) -> SearchText? {
        let scalars = text.unicodeScalars
        guard !mayBeReference(text), scalars.allSatisfy({ isDigit($0) || marksOfPhones.contains($0) }) else {
            return nil
        }
        if let first = scalars.first, "+(".unicodeScalars.contains(first) { return phone(text) }
        let isNational = scalars.first.map { "0٠۰".unicodeScalars.contains($0) } ?? false
        return (8...(isNational ? 17 : 12)).contains(scalars.count(where: isDigit)) ? phone(text) : nil
    }

    /// Whether the text consists of up to five words of letters.
    static func isName(_ text: String) -> Bool {
        let words = text.unicodeScalars.split { $0.properties.isWhitespace }
        return words.count <= 5 && NameDigest(of: text) != nil
            && words.allSatisfy { $0.count <= 40 && $0.allSatisfy(isOfNames) }
    }

    private static func phone(_ text: String) -> SearchText {
        PhoneDigest(of: text) == nil
            ? .unknown("takes a phone number of 8 to 17 digits") : .parameter("phone_number", text)
    }

    private static func mayBeReference(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .decimalNumber
    }

    private static func isOfNames(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter, .nonspacingMark,
            .spacingMark:
            true
        default: "'’‘`.,،-\"".unicodeScalars.contains(scalar)
        }
    }

    private static let marksOfPhones = Set("+-()./ \u{A0}\u{202F}\u{2010}\u{2011}\u{2013}".unicodeScalars)
}
