import Foundation
import PayrelayPrimitives

extension JSON {
    /// As JSON that a terminal shows as it is.
    var terminalText: String { String(decoding: encoded(), as: UTF8.self).terminalText }
}

extension String {
    /// What would steer a terminal, or the direction of its text, is escaped.
    var terminalText: String {
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
    /// Writes text. A terminal gets nothing that would steer it, whoever wrote the text; a file and a pipe get it byte for byte.
    func show(_ text: String) throws {
        let shown =
            isatty(fileDescriptor) == 1
            ? text.parts(at: "\n").map { String($0).terminalText }.joined(separator: "\n") : text
        try write(contentsOf: Data(shown.utf8))
    }
}
