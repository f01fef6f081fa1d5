import Foundation
import TestPrograms
import Testing

/// The module for checkout pages. `Tests/Web` tests it in its own language.
@Suite(.enabled(if: Node.path != nil), .timeLimit(.minutes(25)))
struct WebModuleTests {
    @Test("payrelay.js keeps its rules: the tests of Tests/Web pass under node")
    func theTestsOfTheModulePass() async throws {
        let folder = Project.url("Tests/Web")
        let tests = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".test.mjs") }.map { folder.appending(path: $0).path }
        #expect(!tests.isEmpty)
        let command = [Node.path ?? "", "--test"] + tests.sorted()
        let finished = try await onThread { try FinishedProgram(command, withErrors: true) }
        #expect(finished.succeeded, "\(finished.text.suffix(8_000))")
    }
}

private enum Node {
    /// The path of node, or `nil` if it is not installed.
    static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/node" }.first(where: FileManager.default.isExecutableFile(atPath:))
}
