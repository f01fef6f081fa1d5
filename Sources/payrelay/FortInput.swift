import ArgumentParser
import FortAPI
import Foundation
import Primitives

/// Reads a message to or from FORT from a file; `-` is standard input.
func readMessage(from file: String) throws -> JSONObject {
    guard case .object(let message)? = try? JSON(parsing: try readFile(file)) else {
        throw failure("\(file) is no JSON object", status: .data)
    }
    return message
}

/// A phrase from a file, where one is named, or else from the environment; nil where neither has one. A line break at the
/// end of the file does not count.
func readPhrase(from file: String?, orVariable variable: String) throws -> Secret? {
    if let file {
        let text = String(decoding: try readFile(file), as: UTF8.self)
        return Secret(String(text.last?.isNewline == true ? text.dropLast() : text[...]))
    }
    return ProcessInfo.processInfo.environment[variable].map(Secret.init)
}
