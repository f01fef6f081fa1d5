import Foundation
import PayrelayAPI
import TestPrograms
import Testing

/// Compares docs/problems.md with the table of problems.
@Suite struct ProblemsDocumentTests {
    /// Returns the text of each problem's section, without its heading.
    private static func sections() throws -> [(name: String, text: String)] {
        try String(contentsOf: Project.url("docs/problems.md"), encoding: .utf8).components(separatedBy: "\n## ")
            .dropFirst()
            .map { section in
                let parts = section.split(separator: "\n\n", maxSplits: 1).map(String.init)
                return (parts[0], parts.last ?? "")
            }
    }

    @Test("The page of problems has a section for each kind, in the order of their names, which begins with the status")
    func thePageHasEachKind() throws {
        let sections = try Self.sections()
        #expect(sections.map(\.name) == ProblemKind.allCases.map(\.rawValue).sorted())
        for section in sections {
            let status = try #require(ProblemKind(rawValue: section.name)).status
            #expect(section.text.hasPrefix("*\(status).* ") && section.text.count > 20, "\(section.name)")
        }
    }

    @Test("Kinds stand in the order of their names, so that a reader finds one")
    func kindsAreInOrder() {
        let names = ProblemKind.allCases.map(\.rawValue)
        #expect(names == names.sorted())
    }

    @Test("A kind that may have charged says so on the page, and another does not")
    func chargedIsSaid() throws {
        for section in try Self.sections() {
            let kind = try #require(ProblemKind(rawValue: section.name))
            let says = section.text.contains(/- \*\*Charged\?\*\* .*([Mm]aybe|may (be|have been) (charged|done))/)
            #expect(says == kind.mayHaveCharged, "\(kind)")
            #expect(section.text.contains("- **Charged?**") == kind.mayHaveCharged, "\(kind)")
        }
    }

    @Test("A problem's section with exceptions says what to do")
    func exceptionsHaveAdvice() throws {
        for section in try Self.sections() where section.text.contains("\n- **") {
            #expect(section.text.contains("\n- **Do:** "), "\(section.name)")
        }
    }
}
