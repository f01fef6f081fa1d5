import Foundation
import OutboundHTTP
import PayrelayPrimitives

/// A key that `payrelay keys generate` made.
struct GeneratedKey {
    let key: String
    /// The key's line for the configuration.
    let line: String

    init(_ client: String, _ scopes: String = "payments:create,payments:read,payments:manage") async throws {
        let (status, text) = try await RunningProgram.run(["keys", "generate", client, "--scopes", scopes])
        let lines = text.split(separator: "\n")
        guard status == 0, lines.count == 2 else { throw RunningProgram.LaunchError(description: text) }
        key = String(lines[0])
        line = String(lines[1])
    }
}

/// Returns a request's header fields with this credential.
func bearer(_ credential: String) -> [(name: String, value: String)] {
    [(name: "Authorization", value: "Bearer \(credential)")]
}

extension RunningRelay {
    func pay(_ body: JSON, bearing credential: String, idempotencyKey: String? = nil) async throws -> OutboundAnswer {
        let key = idempotencyKey.map { [(name: "Idempotency-Key", value: $0)] } ?? []
        return try await post("/v1/payments", body.encoded(), headers: bearer(credential) + key)
    }
}
