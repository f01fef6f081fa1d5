package import Foundation

/// A text for a terminal with highlighted parts. The parts cannot control the terminal; the styles are escape
/// sequences of ECMA-48.
package struct StyledText: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package enum Style: Int, Sendable {
        case bold = 1
        case faint = 2
        case red = 31
        case green = 32
        case yellow = 33
    }

    private var parts: [(text: String, style: Style?)]

    package init(_ text: String, _ style: Style?) { parts = [(text, style)] }

    package init(stringLiteral text: String) { self.init(text, nil) }

    package static func + (one: StyledText, other: StyledText) -> StyledText {
        var sum = one
        sum.parts += other.parts
        return sum
    }

    /// The number of characters, without styles.
    package var count: Int { parts.reduce(0) { $0 + $1.text.count } }

    /// Returns the text for a terminal or a file.
    ///
    /// - Parameter isStyled: whether styles are included. If not, the result is the plain text.
    package func text(isStyled: Bool) -> String {
        guard isStyled else { return parts.map(\.text).joined() }
        return parts.map { part in
            part.style.map { "\u{1B}[\($0.rawValue)m\(part.text.terminalText)\u{1B}[0m" } ?? part.text.terminalText
        }.joined()
    }
}

extension FileHandle {
    /// Whether styles can be written to this file: it is a terminal, and its user has not turned colours off
    /// (no-color.org).
    package var takesStyles: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(fileDescriptor) == 1 && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }
}

/// Prints a line immediately, with its styles if standard output supports them.
package func say(styled line: StyledText) {
    let output = FileHandle.standardOutput
    guard output.takesStyles else { return say(line.text(isStyled: false)) }
    try? output.write(contentsOf: Data((line.text(isStyled: true) + "\n").utf8))
}
