import PaymentRelay
import PayrelayPrimitives

/// Phone numbers, names and short numbers of gateways in the search box.
extension SearchText {
    /// What else a text can be that was read as a reference or the gateway's number: as ``named(_:)`` takes it, with a word for people.
    static func others(_ pasted: String) -> [(text: String, word: String)] {
        let text = visible(pasted)
        var others: [(String, String)] = []
        // Portmone's have nine digits. It comes before a phone number, of which only the last digits are compared.
        if (5...11).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) {
            others.append(("gateway", "the gateway's number"))
        }
        // A whole card number has as many digits as the longest phone number.
        let isShort = text.utf8.count(where: \.isASCIIDigit) <= 15 || text.begins(with: "00")
        if isShort, mayBeReference(text), PhoneDigest(of: text) != nil { others.append(("phone", "a phone number")) }
        if isName(text) { others.append(("name", "a name")) }
        let isCode = text.utf8.allSatisfy { $0.isASCIIDigit || $0.isASCIILetter }
        if isCode, text.utf8.count == 5, text.utf8.allSatisfy(\.isASCIIDigit) {
            others.append(("code", "a gateway's code"))
        }
        // Banks have six; a gateway's own may have more.
        if isCode,
            text.utf8.count == 6 || (7...8).contains(text.utf8.count) && text.utf8.contains(where: \.isASCIIDigit)
        {
            others.append(("auth", "an authorization code"))
        }
        return others.map { ("\($0) \(text)", $1) }
    }

    /// `phone 971501234567`, `Name: Sara`, `gateway 123456789`, `auth 123456` and `code 13012` say what a text is. Nil for any other.
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

    /// Phones and mails put invisible characters around numbers and names. They do not count.
    static func visible(_ text: String) -> String {
        let scalars = text.unicodeScalars.filter { $0.properties.generalCategory != .format }
        return String(String.UnicodeScalarView(scalars)).trimmedOfWhiteSpace
    }

    /// Nil where it is not written as phone numbers are: digits, spaces, `+-()./`. Digits alone are a reference first.
    static func phoneNumber(_ text: String) -> SearchText? {
        let scalars = text.unicodeScalars
        guard !mayBeReference(text), scalars.allSatisfy({ isDigit($0) || marksOfPhones.contains($0) }) else {
            return nil
        }
        if let first = scalars.first, "+(".unicodeScalars.contains(first) { return phone(text) }
        let isNational = scalars.first.map { "0٠۰".unicodeScalars.contains($0) } ?? false
        return (8...(isNational ? 17 : 12)).contains(scalars.count(where: isDigit)) ? phone(text) : nil
    }

    /// Letters alone, in up to five words.
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
