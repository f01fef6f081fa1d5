package import Logging
package import ServiceLifecycle

/// A service that listens during a test.
package enum RunningService {
    /// Runs the service, then the test, then a graceful shutdown. Returns when all have ended.
    ///
    /// - Parameters:
    ///   - service: Makes the service, which reports its port once it listens.
    ///   - test: The test, which gets the port.
    package static func with(
        _ service: (Logger, _ onListening: @escaping @Sendable (Int) -> Void) throws -> any Service,
        test: @Sendable (Int) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let service = try service(logger) { port in
            listening.yield(port)
            listening.finish()
        }
        let group = ServiceGroup(configuration: .init(services: [.init(service: service)], logger: logger))
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                defer { listening.finish() }
                try await group.run()
            }
            for await port in ports { try await test(port) }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}
