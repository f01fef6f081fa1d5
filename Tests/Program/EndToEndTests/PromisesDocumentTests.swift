import Foundation
import TestPrograms
import Testing

/// Compares docs/promises.md with the tests: a suite keeps a promise if the display name of one of its tests begins with the
/// promise's id.
///
/// `make promises` updates the column of tests.
@Suite struct PromisesDocumentTests {
    private static let ids = (1...17).map { "R\($0)" } + (1...18).filter { ![8, 17].contains($0) }.map { "S\($0)" }
    private static let document = Project.url("docs/promises.md")

    @Test func everyPromiseIsListedWithTheTestsThatKeepIt() throws {
        let lists = try Self.lists()
        for (id, tests) in lists where !Self.ids.contains(id) { Issue.record("\(id) is no promise: \(tests)") }
        for id in Self.ids where lists[id, default: []].isEmpty { Issue.record("no test keeps \(id)") }
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.compactMap { Self.promise(in: $0)?.id } == Self.ids)
        let current = lines.map { line in
            guard let (id, promise) = Self.promise(in: line) else { return String(line) }
            return "| **\(id)** | \(promise) | \(lists[id, default: []].joined(separator: ", ")) |"
        }.joined(separator: "\n")
        if ProcessInfo.processInfo.environment["PAYRELAY_WRITE_PROMISES"] != nil {
            try Data(current.utf8).write(to: Self.document)
        } else {
            #expect(text == current, "docs/promises.md is not up to date: run `make promises`")
        }
    }

    /// Returns the promise in a row of the table. The row's promise comes first, and the tests are written behind it.
    private static func promise(in line: Substring) -> (id: String, text: String)? {
        line.wholeMatch(of: /\| \*\*([RS][0-9]+)\*\* \| ([^|]+) \|.*/).map { (String($0.1), String($0.2)) }
    }

    /// Returns links to the suites whose tests have a promise's id, by the id.
    private static func lists() throws -> [String: [String]] {
        let folder = Project.url("Tests").path
        let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
        var lists: [String: [String]] = [:]
        for file in files.filter({ $0.hasSuffix(".swift") }).sorted() {
            let source = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            let type =
                /\n(?:@\w+(?:\([^\n]*\))? )*(?:public |private |fileprivate |final )*(?:struct|class|actor|extension) (\w+)/
            for match in source.matches(of: /@Test\(\s*"((?:[RS][0-9]+)(?:, [RS][0-9]+)*): ((?:[^"\\]|\\.)*)"/) {
                let suite = source[..<match.range.lowerBound].matches(of: type).last?.1 ?? ""
                let link = "[`\(suite)`](../Tests/\(file))"
                for id in match.1.split(separator: ", ") where lists[String(id)]?.contains(link) != true {
                    lists[String(id), default: []].append(link)
                }
            }
        }
        return lists
    }
}
