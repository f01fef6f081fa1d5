import Foundation
import TestPrograms
import Testing
import TokenMint

/// `payrelay` runs in production, `payrelay-dev` on developers' machines.
@Suite struct TwoProgramsTests {
    @Test("the program for production has no key of the sandbox, no mint and no simulator in it")
    func whatRunsInProductionMintsNothing() throws {
        let production = try Data(contentsOf: RunningProgram.built("payrelay"))
        let development = try Data(contentsOf: RunningProgram.built("payrelay-dev"))
        // A symbol contains the names of its target and its type.
        let traces = [
            "TokenMint", "SandboxParts", "FortSandbox", "PortmoneSandbox", "MasterpassSandbox", "CheckoutPage",
            "LoadGenerator",
        ]
        .map { Data("\($0.utf8.count)\($0)".utf8) }
        for trace in traces + [Data("sandbox-request-phrase".utf8)] {
            let name = String(decoding: trace, as: UTF8.self)
            #expect(production.range(of: trace) == nil, "\(name)")
            #expect(development.range(of: trace) != nil, "\(name) is no trace of what it should show")
        }
    }

    @Test("a command for developers is run by payrelay-dev, and the message of a payrelay that came alone says so")
    func aCommandForDevelopersIsHandedOver() async throws {
        let together = try RunningProgram(
            ["token", "mint", "--amount", "1.00", "--currency", "AED"], program: RunningProgram.built("payrelay").path)
        #expect(try await together.end() == 0)
        #expect(together.text.contains(#""paymentData""#))

        let folder = try TemporaryFolder()
        let alone = folder.url.appending(path: "payrelay")
        try FileManager.default.copyItem(at: RunningProgram.built("payrelay"), to: alone)
        let refused = try RunningProgram(["sandbox", "--port", "0"], program: alone.path)
        #expect(try await refused.end() == 1)
        #expect(refused.text.contains("'sandbox' is a command of payrelay-dev"), "\(refused.text)")
    }
}
