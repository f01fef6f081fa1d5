import Foundation
import Testing

@Suite struct DocumentedSymbolsTests {
    private static let root = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    /// Declarations that a protocol documents, and the API's names, which openapi.yaml documents.
    private static let exempt = [
        "public import", "public var description:", "public var debugDescription:", "public var customMirror:",
        "public func makeCoordinator", "public func makeUIView", "public func updateUIView",
    ]
    private static let filesOfNames = ["PaymentField.swift"]

    private static func sources(_ folder: String) throws -> [URL] {
        let url = root.appendingPathComponent(folder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: url.path).filter { $0.hasSuffix(".swift") }
        return names.map { url.appendingPathComponent($0) }
    }

    private static func undocumented(in source: URL) throws -> [String] {
        let lines = try String(contentsOf: source, encoding: .utf8).components(separatedBy: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        // Attributes and conditions may be between a declaration and its comment.
        let declarations = lines.enumerated().filter { _, line in
            line.hasPrefix("public ") && !exempt.contains { line.hasPrefix($0) }
                && !(line.hasPrefix("public static let") && filesOfNames.contains(source.lastPathComponent))
        }
        return declarations.compactMap { index, line in
            let before = lines[..<index].reversed().first { line in
                !line.hasPrefix("@") && !line.hasPrefix("#")
            }
            return before?.hasPrefix("///") == true ? nil : "\(source.lastPathComponent): \(line)"
        }
    }

    @Test("Every public declaration of the libraries for apps has a doc comment")
    func everyDeclarationIsDocumented() throws {
        var count = 0
        for folder in [
            "Sources/Foundations/PayrelayAPI", "Sources/Clients/PayrelayClient", "Sources/Clients/PayrelayFortSDK",
        ] {
            for source in try Self.sources(folder) {
                count += 1
                let undocumented = try Self.undocumented(in: source)
                #expect(undocumented.isEmpty, "\(undocumented)")
            }
        }
        #expect(count > 30)
    }
}
