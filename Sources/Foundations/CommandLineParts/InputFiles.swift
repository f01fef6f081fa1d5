package import Foundation
package import PayrelayPrimitives

/// Reads a whole file; `-` means standard input.
package func readFile(_ path: String) throws -> [UInt8] {
    do {
        if path == "-" { return Array(try FileHandle.standardInput.readToEnd() ?? Data()) }
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
        throw failure("\(path) cannot be read: \(UnreadableFile(error))", status: .data)
    }
}

/// Returns the absolute path, so that a printed path can be used in another folder.
package func absolutePath(_ path: String) -> String { URL(filePath: path).standardizedFileURL.path }

/// The folder of this program's file. Links to the file are followed.
package var folderOfThisProgram: URL {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
}

/// The name of this program, with which its messages begin.
var nameOfThisProgram: String { URL(filePath: CommandLine.arguments.first ?? "payrelay").lastPathComponent }

/// The path of this program for a shell. A bare name is found in `PATH`.
package var pathOfThisProgram: String {
    let name = CommandLine.arguments.first ?? "payrelay"
    return name.has("/") ? absolutePath(name) : name
}

/// Reads a JSON object from a file; `-` means standard input.
package func readObject(from file: String) throws -> JSONObject {
    let bytes = try readFile(file)
    guard case .object(let message)? = try? JSON(parsing: bytes) else {
        throw failure("\(file) is not a JSON object", status: .data)
    }
    return message
}

/// Reads a phrase from a file if one is named, or else from an environment variable. Returns `nil` if neither
/// exists. A final line break of the file is removed.
package func readPhrase(from file: String?, orVariable variable: String) throws -> Secret? {
    if let file {
        let text = String(decoding: try readFile(file), as: UTF8.self)
        return Secret(String(text.withoutLineBreakAtEnd))
    }
    return ProcessInfo.processInfo.environment[variable].map(Secret.init)
}
