import HTTPTypes
import Testing

@testable import RelayServer

@Suite struct RequestIdentifierTests {
    private func identifier(answering sent: String) async throws -> String? {
        try await ServerBench.answer(of: [], to: .get, "/", headers: [.requestIdentifier: sent])
            .headers[.requestIdentifier]
    }

    @Test(arguments: [
        "a", String(repeating: "Z", count: 64), "1-67891233-abcdef012345678912345678", "Root=1/2:3.4_5+6",
    ])
    func theCallersIsTaken(sent: String) async throws {
        #expect(try await identifier(answering: sent) == sent)
    }

    @Test(arguments: [
        "", String(repeating: "Z", count: 65), "a b", "a\"", "{", "sara@example.com", "\u{661}", "a\u{202E}",
        "a\\n", "a\tb", "operator sara 4f1c",
    ])
    func anyOtherIsReplacedByOurs(sent: String) async throws {
        #expect(try await identifier(answering: sent)?.wholeMatch(of: /[0-9a-f]{32}/) != nil)
    }
}
