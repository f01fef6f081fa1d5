package import Logging
package import ServiceLifecycle

/// A service that listens, for as long as a test needs it.
package enum RunningService {
    /// Runs it, then the test, then a graceful shutdown; returns when all have ended.
    ///
    /// - Parameters:
    ///   - service: makes it; it reports its port once it listens.
    ///   - test: gets the port.
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
