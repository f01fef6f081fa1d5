import Foundation
import PayrelayAPI
import Testing
import TestPrograms

/// Holds docs/problems.md against the table of problems. `make problems` writes the page.
@Suite struct ProblemsDocumentTests {
    private static let document = Project.url("docs/problems.md")

    @Test("The page of problems says of each kind what the table says")
    func thePageIsTheTable() throws {
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        let introduction = try #require(text.components(separatedBy: "\n## ").first)
        let current = introduction + ProblemKind.allCases.map(Self.section).joined()
        if ProcessInfo.processInfo.environment["PAYRELAY_WRITE_PROBLEMS"] != nil {
            try Data(current.utf8).write(to: Self.document)
        } else {
            #expect(text == current, "docs/problems.md is not up to date: run `make problems`")
        }
    }

    @Test("Kinds stand in the order of their names, so that a reader finds one")
    func kindsAreInOrder() {
        let names = ProblemKind.allCases.map(\.rawValue)
        #expect(names == names.sorted())
    }

    @Test("A kind that may have charged says so, and one that did nothing does not")
    func chargedIsSaidOnce() {
        for kind in ProblemKind.allCases {
            #expect(
                kind.mayHaveCharged == kind.charged.lowercased().contains(/maybe|may (be|have been) (charged|done)/),
                "\(kind): \(kind.charged)")
        }
    }

    /// What the introduction says of most kinds is not repeated: that nothing was charged, and that a retry is in vain.
    private static func section(_ kind: ProblemKind) -> String {
        let exceptions =
            (kind.mayHaveCharged ? "- **Charged?** \(kind.charged)\n" : "")
            + (kind.retry.hasPrefix("No") ? "" : "- **Retry?** \(kind.retry)\n")
        let text = "\n## \(kind.rawValue)\n\n*\(kind.status).* \(kind.meaning)"
        guard !exceptions.isEmpty else { return "\(text) \(kind.whatToDo)\n" }
        return "\(text)\n\n\(exceptions)- **Do:** \(kind.whatToDo)\n"
    }
}
