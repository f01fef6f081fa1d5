import Foundation
package import PayrelayPrimitives

/// Reads a whole file; `-` is standard input.
package func readFile(_ path: String) throws -> [UInt8] {
    do {
        if path == "-" { return Array(try FileHandle.standardInput.readToEnd() ?? Data()) }
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
        throw failure("\(path) cannot be read: \(UnreadableFile(error))", status: .data)
    }
}

/// The path from the root of the file system: what is printed can be used in another folder.
package func absolutePath(_ path: String) -> String { URL(filePath: path).standardizedFileURL.path }

/// This program's name, with which its messages begin.
var nameOfThisProgram: String { URL(filePath: CommandLine.arguments.first ?? "payrelay").lastPathComponent }

/// This program for a shell. A bare name is found in `PATH`.
package var pathOfThisProgram: String {
    let name = CommandLine.arguments.first ?? "payrelay"
    return name.has("/") ? absolutePath(name) : name
}

/// Reads a JSON object from a file; `-` is standard input.
package func readObject(from file: String) throws -> JSONObject {
    let bytes = try readFile(file)
    guard case .object(let message)? = try? JSON(parsing: bytes) else {
        throw failure("\(file) is no JSON object", status: .data)
    }
    return message
}

/// A phrase from a file, where one is named, or else from the environment; nil where neither has one. A line break at the
/// end of the file does not count.
package func readPhrase(from file: String?, orVariable variable: String) throws -> Secret? {
    if let file {
        let text = String(decoding: try readFile(file), as: UTF8.self)
        return Secret(String(text.withoutLineBreakAtEnd))
    }
    return ProcessInfo.processInfo.environment[variable].map(Secret.init)
}
