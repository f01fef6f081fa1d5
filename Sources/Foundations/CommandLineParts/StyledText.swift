package import Foundation

/// Text for a terminal, parts of which stand out. Its texts cannot steer a terminal; its styles are ECMA-48's.
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

    /// How many characters it has.
    package var count: Int { parts.reduce(0) { $0 + $1.text.count } }

    /// - Parameter isStyled: whether styles are written; without, it is the text alone.
    package func text(isStyled: Bool) -> String {
        guard isStyled else { return parts.map(\.text).joined() }
        return parts.map { part in
            part.style.map { "\u{1B}[\($0.rawValue)m\(part.text.terminalText)\u{1B}[0m" } ?? part.text.terminalText
        }.joined()
    }
}

extension FileHandle {
    /// Whether styles are for this file: a terminal, whose user did not ask for text without colours (no-color.org).
    package var takesStyles: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(fileDescriptor) == 1 && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }
}

/// Prints a line at once, with its styles if standard output takes them.
package func say(styled line: StyledText) {
    let output = FileHandle.standardOutput
    guard output.takesStyles else { return say(line.text(isStyled: false)) }
    try? output.write(contentsOf: Data((line.text(isStyled: true) + "\n").utf8))
}
