import Foundation
import PayrelayAPI
import Testing

/// Holds docs/problems.md against the kinds of problems.
@Suite struct ProblemIndexTests {
    private static let document = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/problems.md")

    @Test("The index of problems has one heading for each kind, by name, and no other")
    func headings() throws {
        let lines = try String(contentsOf: Self.document, encoding: .utf8).split(separator: "\n")
        let headings = lines.filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
        #expect(headings == ProblemKind.all.map(\.rawValue))
    }

    @Test("Each kind says whether anything was charged, whether to retry, and what to do")
    func eachKindAnswersTheSameQuestions() throws {
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        for section in text.components(separatedBy: "\n## ").dropFirst() {
            for question in ["- **Charged?** ", "- **Retry?** ", "- **What to do:** "] {
                #expect(section.components(separatedBy: "\n" + question).count == 2, "\(question) in \(section)")
            }
        }
    }
}
