import Foundation
import OutboundHTTP
import PayrelayPrimitives

/// `payrelay-dev` at ports that the system chose.
final class RunningDevelopment: Sendable {
    let program: RunningProgram
    /// The relay's address: `http://127.0.0.1:PORT`, or `https://HOST:PORT`.
    let address: String
    /// The address of the sandbox's books.
    let books: String
    private let client: OutboundClient
    private let sandboxClient = OutboundClient()

    /// - Parameter caFile: The only authority to trust, or `nil` for the system's authorities.
    init(_ arguments: [String] = [], caFile: String? = nil) async throws {
        let program = try RunningProgram(
            ["dev", "--port", "0", "--admin-port", "0", "--sandbox-port", "0"] + arguments)
        try await program.wait(for: "its curl line") { program.text.contains("curl ") }
        let text = program.text
        address = text.firstMatch(of: /Open (https?:\/\/\S+?)\/ to pay/).map { String($0.output.1) } ?? ""
        books = text.firstMatch(of: /http:\/\/\S+\/_sandbox\/orders/).map { String($0.output) } ?? ""
        client = OutboundClient(OutboundSettings(caFile: caFile))
        self.program = program
    }

    deinit {
        client.shutdown()
        sandboxClient.shutdown()
    }

    func get(_ path: String, headers: [(name: String, value: String)] = []) async throws -> OutboundAnswer {
        try await client.send(
            OutboundRequest(
                method: .get, url: address + path, headers: headers, connectTimeout: .seconds(90),
                timeout: .seconds(300))
        ).get()
    }

    func post(
        _ path: String, _ body: JSON, headers: [(name: String, value: String)] = []
    ) async throws -> OutboundAnswer {
        try await client.send(
            OutboundRequest(
                url: address + path, headers: [(name: "Content-Type", value: "application/json")] + headers,
                body: body.encoded(), connectTimeout: .seconds(90), timeout: .seconds(300))
        ).get()
    }

    /// The orders in the sandbox's books.
    func orders() async throws -> [JSON] {
        let request = OutboundRequest(method: .get, url: books, connectTimeout: .seconds(90), timeout: .seconds(300))
        return try JSON(parsing: try await sandboxClient.send(request).get().body).arrayValue ?? []
    }
}
