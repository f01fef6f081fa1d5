import FortSandbox
import GatewayTestParts
import OutboundHTTP
import SandboxParts

/// A sandbox behind a socket, for as long as a test needs it.
enum RunningSandbox {
    /// Runs the service on a free port, then the test, then a graceful shutdown; returns when all have ended.
    static func with(_ sandbox: FortSandbox, _ test: @Sendable (_ base: String) async throws -> Void) async throws {
        try await RunningService.with { logger, onListening in
            SandboxService([sandbox], port: 0, logger: logger) { onListening($0) }
        } test: { port in
            try await test("http://127.0.0.1:\(port)")
        }
    }
}
