import Foundation
import Testing

/// Holds docs/promises.md against the tests: a test keeps a promise where its display name begins with the promise's id.
///
/// `make promises` updates the lists of tests.
@Suite struct PromisesDocumentTests {
    private static let ids = (1...15).map { "R\($0)" } + (1...16).filter { $0 != 8 }.map { "S\($0)" }
    private static let document = Project.url("docs/promises.md")

    @Test func everyPromiseIsListedWithTheTestsThatKeepIt() throws {
        let lists = try Self.lists()
        for (id, tests) in lists where !Self.ids.contains(id) { Issue.record("\(id) is no promise: \(tests)") }
        for id in Self.ids where lists[id, default: []].isEmpty { Issue.record("no test keeps \(id)") }
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        #expect(Self.sections(of: text).compactMap(\.id) == Self.ids)
        let current = Self.sections(of: text).map { $0.written(with: lists) }.joined(separator: "\n")
        if ProcessInfo.processInfo.environment["PAYRELAY_WRITE_PROMISES"] != nil {
            try Data(current.utf8).write(to: Self.document)
        } else {
            #expect(text == current, "docs/promises.md is not up to date: run `make promises`")
        }
    }

    /// A part of the page: its introduction, or a promise with its list of tests.
    private struct Section {
        let id: String?
        let lines: [Substring]

        func written(with lists: [String: [String]]) -> String {
            guard let id else { return lines.joined(separator: "\n") }
            let text = lines.filter { !$0.hasPrefix("- [") }.joined(separator: "\n")
                .trimmingCharacters(in: .newlines)
            return text + "\n\n" + lists[id, default: []].joined(separator: "\n") + "\n"
        }
    }

    private static func sections(of text: String) -> [Section] {
        var sections = [Section(id: nil, lines: [])]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let heading = line.firstMatch(of: /^## ([RS][0-9]+)/) {
                sections.append(Section(id: String(heading.1), lines: [line]))
            } else {
                let last = sections.removeLast()
                sections.append(Section(id: last.id, lines: last.lines + [line]))
            }
        }
        return sections
    }

    /// By the promise's id, one line for each test that carries it.
    private static func lists() throws -> [String: [String]] {
        let folder = Project.url("Tests").path
        let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
        var lists: [String: [String]] = [:]
        for file in files.filter({ $0.hasSuffix(".swift") }).sorted() {
            let source = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            let type = /\n(?:@Suite )?(?:public |private |fileprivate |final )*(?:struct|class|actor|extension) (\w+)/
            for match in source.matches(of: /@Test\(\s*"((?:[RS][0-9]+)(?:, [RS][0-9]+)*): ((?:[^"\\]|\\.)*)"/) {
                let suite = source[..<match.range.lowerBound].matches(of: type).last?.1 ?? ""
                let function = source[match.range.upperBound...].firstMatch(of: /func (\w+)/)?.1 ?? ""
                for id in match.1.split(separator: ", ") {
                    lists[String(id), default: []].append(
                        "- [`\(suite).\(function)`](../Tests/\(file)): \(match.2)")
                }
            }
        }
        return lists
    }
}
