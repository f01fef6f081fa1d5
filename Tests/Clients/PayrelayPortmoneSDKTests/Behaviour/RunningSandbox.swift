import Foundation
import Logging
import MasterpassSandbox
import ServiceLifecycle

@testable import PayrelayPortmoneSDK

/// The sandbox behind a socket, for as long as a test needs it.
enum RunningSandbox {
    /// Runs the service on a free port, then the test, then a graceful shutdown; returns when all have ended.
    static func with(
        _ sandbox: MasterpassSandbox = MasterpassSandbox(),
        logger: Logger = Logger(label: "sandbox") { _ in SwiftLogNoOpLogHandler() },
        _ test: @MainActor (App) async throws -> Void
    ) async throws {
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let service = MasterpassSandboxService(sandbox, port: 0, logger: logger) { port in
            listening.yield(port)
            listening.finish()
        }
        let group = ServiceGroup(configuration: .init(services: [.init(service: service)], logger: logger))
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                defer { listening.finish() }
                try await group.run()
            }
            for await port in ports { try await test(try App(port: port)) }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}
