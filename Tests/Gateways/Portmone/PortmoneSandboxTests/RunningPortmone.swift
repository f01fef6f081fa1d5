import GatewayTestParts
import OutboundHTTP
import PayrelayPrimitives
import PortmoneSandbox
import SandboxParts

/// A sandbox behind a socket, for as long as a test needs it.
enum RunningPortmone {
    static func with(_ sandbox: PortmoneSandbox, _ test: @Sendable (_ base: String) async throws -> Void) async throws {
        try await RunningService.with { logger, onListening in
            SandboxService([sandbox], port: 0, connectionLimit: 4_096, logger: logger) { onListening($0) }
        } test: { port in
            try await test("http://127.0.0.1:\(port)")
        }
    }

    static func post(
        _ url: String, _ body: [UInt8], type: String = "application/json", timeout: Duration = .seconds(900)
    ) async throws -> OutboundAnswer {
        let client = OutboundClient()
        defer { client.shutdown() }
        return try await client.send(
            OutboundRequest(
                url: url, headers: [(name: "Content-Type", value: type)], body: body, connectTimeout: .seconds(90),
                timeout: timeout, answerLimit: 8 << 20)
        ).get()
    }
}
