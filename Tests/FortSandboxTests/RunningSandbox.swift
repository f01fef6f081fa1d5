import OutboundHTTP
import FortSandbox
import Logging
import ServiceLifecycle

/// A sandbox behind a socket, for as long as a test needs it.
enum RunningSandbox {
    /// Runs the service on a free port, then the test, then a graceful shutdown; returns when all have ended.
    static func with(_ sandbox: FortSandbox, _ test: @Sendable (_ base: String) async throws -> Void) async throws {
        let logger = Logger(label: "sandbox") { _ in SwiftLogNoOpLogHandler() }
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let service = FortSandboxService(sandbox, port: 0, logger: logger) { address in
            listening.yield(address.port)
            listening.finish()
        }
        let group = ServiceGroup(configuration: .init(services: [.init(service: service)], logger: logger))
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                defer { listening.finish() }
                try await group.run()
            }
            for await port in ports { try await test("http://127.0.0.1:\(port)") }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}
