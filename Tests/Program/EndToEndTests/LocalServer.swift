import Hummingbird
import Logging

/// An HTTP server in the test's own process, on loopback at a port that the system chose. It stops with the last reference.
final class LocalServer: Sendable {
    let port: Int
    private let run: Task<Void, any Error>

    init(_ router: Router<BasicRequestContext>) async throws {
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { listening.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "local") { _ in SwiftLogNoOpLogHandler() })
        run = Task {
            defer { listening.finish() }
            try await application.run()
        }
        var port: Int?
        for await number in ports {
            port = number
            break
        }
        self.port = port ?? 0
        if port == nil { try await run.value }
    }

    deinit { run.cancel() }
}
