import ApplePayToken
import ArgumentParser
import FortSandbox
import Foundation
import Logging
import Primitives
import OutboundHTTP
import Composition
import ServiceLifecycle
import TokenMint

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Watch one payment go through: real HTTP, a real chain, a real signature, a FORT that checks it.",
        discussion: "Runs a relay and a sandbox on free ports, pays once, tells the story and ends.")

    func run() async throws {
        let telemetry = Telemetry.bootstrap(logLevel: .warning)
        let (addresses, listening) = AsyncStream.makeStream(of: Int.self)
        let development = try Development(httpPort: 0, adminPort: 0, sandboxPort: 0, telemetry: telemetry) { relay, _ in
            listening.yield(relay)
            listening.finish()
        }
        let group = ServiceGroup(stoppingOnSignals: [development], logger: telemetry.logger)
        async let running: Void = {
            // Where the start fails, nobody will ever listen.
            defer { listening.finish() }
            try await group.run()
        }()
        var isCaptured = false
        for await port in addresses {
            isCaptured = try await DemoPayment(sandbox: development.sandbox, port: port).tell()
        }
        await group.triggerGracefulShutdown()
        try await running
        if !isCaptured { throw ExitCode(ExitStatus.no.rawValue) }
    }
}
