import PayrelayPrimitives

/// What an operator writes on a payment for those who look at it later. It may say who the customer is, so that it is erased with the
/// customer's data. Clients never get it.
public struct OperatorNote: Sendable, Equatable {
    public let text: String

    /// In Unicode scalars.
    public static let limit = 500
    /// In bytes of UTF-8.
    public static let byteLimit = 4 * limit

    /// Takes what was typed, without what is no text: control characters but line breaks, and characters that turn the direction of the
    /// text that follows (UAX #9, explicit formatting), and with at most one empty line between two others.
    ///
    /// - Throws: where nothing is left, or too much.
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

/// Why a text is no note.
public enum OperatorNoteError: Error, Sendable, Equatable {
    case empty
    case tooLong
}
