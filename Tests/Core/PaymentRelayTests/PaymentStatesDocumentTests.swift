import Foundation
import TestPrograms
import Testing

/// `docs/state-machine.md` shows the behaviour of ``Payment/apply(_:at:patience:)`` and nothing else.
@Suite struct PaymentStatesDocumentTests {
    private static let document = Project.url("docs/state-machine.md")

    @Test func tableOfPaymentsMatchesTheMachine() throws {
        let table = StateTable().markdown
        #expect(try section("table") == table, "the machine's table is:\n\(table)")
    }

    @Test func diagramMatchesTheMachine() throws {
        let diagram = StateTable().mermaid
        #expect(try section("diagram") == diagram, "the machine's diagram is:\n\(diagram)")
    }

    @Test func tableOfOperationsMatchesTheMachine() throws {
        let table = OperationTable().markdown
        #expect(try section("operations") == table, "the machine's table is:\n\(table)")
    }

    @Test func tableOfAnswersMatchesTheMachine() throws {
        let table = AnswerMatrix().markdown
        #expect(try section("answers") == table, "the machine's table is:\n\(table)")
    }

    /// Returns the text between `<!-- name -->` and `<!-- end of name -->`.
    private func section(_ name: String) throws -> String {
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        let begin = try #require(text.range(of: "<!-- \(name) -->\n"))
        let end = try #require(text.range(of: "\n<!-- end of \(name) -->", range: begin.upperBound..<text.endIndex))
        return String(text[begin.upperBound..<end.lowerBound])
    }
}
