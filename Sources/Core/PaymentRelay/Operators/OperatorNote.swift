import PayrelayPrimitives

/// A note that an operator writes on a payment for other operators. It may identify the customer, so it is erased
/// with the customer's data. Clients never get it.
public struct OperatorNote: Sendable, Equatable {
    public let text: String

    /// The limit of the text, in Unicode scalars.
    public static let limit = 500
    /// The limit of the text, in bytes of UTF-8.
    public static let byteLimit = 4 * limit

    /// Creates a note from a typed text. These characters are removed or reduced:
    ///
    /// - control characters, except line breaks; a tab becomes a space,
    /// - characters that change the direction of the text that follows (UAX #9, explicit formatting),
    /// - empty lines beyond one in a row, and white space at the beginning and the end.
    ///
    /// - Throws: ``OperatorNoteError`` if nothing is left, or too much.
    public init(_ typed: String) throws(OperatorNoteError) {
        var scalars: [Unicode.Scalar] = []
        for scalar in typed.replacingEach("\r\n", with: "\n").unicodeScalars {
            switch scalar {
            case "\n", "\r", "\u{2028}", "\u{2029}":
                if scalars.suffix(2) != ["\n", "\n"] { scalars.append("\n") }
            case "\t": scalars.append(" ")
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": break
            case _ where scalar.properties.generalCategory == .control: break
            default: scalars.append(scalar)
            }
        }
        let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        while scalars.last.map(isSpace) ?? false { scalars.removeLast() }
        let text = scalars.drop(while: isSpace)
        guard !text.isEmpty else { throw .empty }
        guard text.count <= Self.limit else { throw .tooLong }
        self.text = String(String.UnicodeScalarView(text))
    }
}

/// Why a text cannot be a note.
public enum OperatorNoteError: Error, Sendable, Equatable {
    case empty
    case tooLong
}
