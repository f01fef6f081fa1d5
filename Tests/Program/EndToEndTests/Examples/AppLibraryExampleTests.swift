import Foundation
import PayrelayPrimitives
import TestPrograms
import Testing

/// The lines in docs/app-libraries.md for each of the app libraries pay at `payrelay-dev`.
@Suite struct AppLibraryExampleTests {
    private static let check = ExampleProgram(
        runtime: "node", command: ["node", Project.url("Examples/react-native/check.mjs").path])

    @Test(
        "the documented lines for each JavaScript library pay",
        .enabled(if: check.isRunnable, "node is not on the PATH"))
    func linesPay() async throws {
        let development = try await RunningDevelopment()
        let check = ExampleProgram(runtime: "node", command: Self.check.command + [development.address])
        let ended = try await check.run(input: [:])
        #expect(ended.succeeded && ended.text == "4 libraries", "\(ended.text)")
    }
}
