import PayrelayPrimitives

extension JSON {
    /// As JSON that a terminal shows as it is: what would steer it, or the direction of its text, is escaped.
    var terminalText: String {
        var text = ""
        for scalar in String(decoding: encoded(), as: UTF8.self).unicodeScalars {
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
