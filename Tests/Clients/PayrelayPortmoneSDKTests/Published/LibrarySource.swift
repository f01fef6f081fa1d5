import Foundation
import TestPrograms

/// A parser for the declarations in the library's sources.
enum LibrarySource {
    private static let folder = Project.url("Sources/Clients/PayrelayPortmoneSDK")

    static func text(of type: String) throws -> String {
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        where path.hasSuffix("/\(type).swift") {
            return try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        }
        return ""
    }

    /// Returns the public properties of a type that has a file with its name.
    static func properties(of type: String) throws -> [(name: String, type: String)] {
        try text(of: type).matches(of: /(?m)^    public (?:let|var) (\w+): ([\w?]+)/).map {
            (String($0.1), String($0.2))
        }
    }

    /// Returns the functions that an app calls or implements.
    static func functions(of type: String) throws -> Set<String> {
        Set(
            try text(of: type).matches(
                of: /(?m)^    (?:public )?(func [^{\/]+?\))\n|^    (?:public )?(func [^{\/]+?\)) \{/
            ).map {
                normalized(String($0.1 ?? $0.2 ?? ""))
            })
    }

    static func typeAliases() throws -> Set<String> {
        Set(try text(of: "Completions").matches(of: /(?m)^public typealias .*$/).map { normalized(String($0.output)) })
    }

    static func normalized(_ declaration: String) -> String {
        declaration.replacing(/\s+/, with: " ").replacing("( ", with: "(").replacing(" )", with: ")")
            .replacing("(any Error)", with: "Error").replacing(/^public func/, with: "func")
            .trimmingCharacters(in: .whitespaces)
    }
}
