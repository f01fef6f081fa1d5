import Foundation
import OutboundHTTP
import PayrelayPrimitives

/// `payrelay dev` at ports that the system chose.
final class RunningDevelopment: Sendable {
    let program: RunningProgram
    /// Of the relay: `http://127.0.0.1:PORT`.
    let address: String
    /// Of the sandbox's books.
    let books: String
    private let client = OutboundClient()

    init(_ arguments: [String] = []) async throws {
        let program = try RunningProgram(
            ["dev", "--port", "0", "--admin-port", "0", "--sandbox-port", "0"] + arguments)
        try await program.wait(for: "its curl line") { program.text.contains("curl ") }
        let urls = program.text.matches(of: /https?:\/\/[^\s]+?:[0-9]+/).map { String($0.output) }
        address = urls.first ?? ""
        books = (urls.dropFirst().first ?? "") + "/_sandbox/orders"
        self.program = program
    }

    deinit { client.shutdown() }

    func get(_ path: String, headers: [(name: String, value: String)] = []) async throws -> OutboundAnswer {
        try await client.send(OutboundRequest(method: .get, url: address + path, headers: headers))
    }

    func post(
        _ path: String, _ body: JSON, headers: [(name: String, value: String)] = []
    ) async throws -> OutboundAnswer {
        try await client.send(
            OutboundRequest(
                url: address + path, headers: [(name: "Content-Type", value: "application/json")] + headers,
                body: body.encoded()))
    }

    /// The orders in the sandbox's books.
    func orders() async throws -> [JSON] {
        try JSON(parsing: try await client.send(OutboundRequest(method: .get, url: books)).body).arrayValue ?? []
    }
}
