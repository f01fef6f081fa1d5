package import Foundation
package import PayrelayPrimitives

extension JSON {
    /// The value as JSON, escaped for a terminal.
    package var terminalText: String { String(decoding: encoded(), as: UTF8.self).terminalText }
}

extension String {
    /// The text with every character escaped that could control a terminal or the direction of text.
    package var terminalText: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                text += String(
                    decoding: JSON.string(String(scalar)).encodedInASCII().dropFirst().dropLast(), as: UTF8.self)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension FileHandle {
    /// Writes a text. For a terminal, control characters are escaped, whoever wrote the text. A file or a pipe
    /// gets the text unchanged.
    package func show(_ text: String) throws {
        let shown =
            isatty(fileDescriptor) == 1
            ? text.parts(at: "\n").map { String($0).terminalText }.joined(separator: "\n") : text
        try write(contentsOf: Data(shown.utf8))
    }
}
