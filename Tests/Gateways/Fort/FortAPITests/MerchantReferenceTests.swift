import PayrelayPrimitives
import Testing

@testable import FortAPI

@Suite struct MerchantReferenceTests {
    /// The table on FORT's page, and the rule that the report, the client and the journal's page use.
    @Test func theRuleIsFORTsTable() throws {
        let field = try #require(FortField.named("merchant_reference"))
        func isTaken(_ text: String) -> Bool { field.errors(in: text).isEmpty }
        let texts =
            (0..<0x800).compactMap(Unicode.Scalar.init).flatMap { ["\($0)", "A\($0)", "\($0)A", "A\($0)A"] }
            + (0...45).map { String(repeating: "r", count: $0) }
        let differing = texts.filter { isTaken($0) != $0.isMerchantReference }
        #expect(differing.isEmpty)
    }
}
