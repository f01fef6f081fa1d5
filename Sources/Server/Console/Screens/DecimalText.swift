import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives

/// Amounts as people in different countries write them.
enum DecimalText {
    /// Returns an amount as digits, or as digits, a decimal point and digits, for a text such as `1,250.00`,
    /// `1.250,00`, `349,50` or `٣٤٩٫٥٠`. Returns `nil` if the text is not a number.
    ///
    /// - If there are two different separators, the last one is the decimal separator.
    /// - A single comma is the decimal separator unless exactly three digits follow it.
    /// - A single point is always the decimal separator.
    static func plain(_ text: String) -> String? {
        guard text.utf8.count <= 48 else { return nil }
        var number = ""
        for scalar in text.trimmedOfWhiteSpace.unicodeScalars {
            switch scalar {
            case "0"..."9", ".", ",": number.unicodeScalars.append(scalar)
            case "٠"..."٩": number += "\(scalar.value - 0x660)"
            case "٫": number += "."
            case "٬", "'", "’", " ", "\u{A0}", "\u{202F}": number += "_"
            default: return nil
            }
        }
        let points = number.utf8.count { $0 == UInt8(ascii: ".") }
        let commas = number.utf8.count { $0 == UInt8(ascii: ",") }
        var decimal: Unicode.Scalar?
        if points > 0, commas > 0 {
            decimal = number.utf8.last { $0 == 0x2E || $0 == 0x2C } == 0x2E ? "." : ","
        } else if points == 1 {
            decimal = "."
        } else if commas == 1, number.cut(at: ",").after?.utf8.count != 3 {
            decimal = ","
        }
        let parts = decimal.map { number.parts(at: $0) } ?? [Substring(number)]
        guard let whole = parts.first, parts.count <= 2, parts.dropFirst().allSatisfy(isDigits) else { return nil }
        let groups = String(whole).replacingEach(",", with: "_").replacingEach(".", with: "_").parts(at: "_")
        guard groups.allSatisfy(isDigits),
            groups.count == 1 || (groups[0].utf8.count <= 3 && groups.dropFirst().allSatisfy { $0.utf8.count == 3 })
        else { return nil }
        return ([groups.joined()] + parts.dropFirst().map(String.init)).joined(separator: ".")
    }

    private static func isDigits(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(\.isASCIIDigit)
    }
}
