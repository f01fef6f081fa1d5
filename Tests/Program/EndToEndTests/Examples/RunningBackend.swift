import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms

/// Examples/backend, or another program in Examples/ with the same interface, at a port that was reserved for it.
final class RunningBackend: Sendable {
    /// A port for the backend, which the relay's settings need before the backend runs.
    struct Place {
        let socket: LoopbackSocket
        let folder: TemporaryFolder
        let key: OrderTokenKeyFiles
        /// The secret, in base64, that signs the events.
        let secret = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldY"

        init() async throws {
            socket = try LoopbackSocket()
            folder = try TemporaryFolder()
            key = try await OrderTokenKeyFiles(in: folder)
        }

        /// The settings of a relay that works with the backend.
        var relay: [String: String] {
            [
                "PAYRELAY_JWT_KEYS_FILE": key.relay, "PAYRELAY_EVENTS_SECRET": "whsec_\(secret)",
                "PAYRELAY_EVENTS_URL": "http://127.0.0.1:\(socket.port)/events",
            ]
        }
    }

    let program: RunningProgram
    private let port: Int
    private let client = OutboundClient()

    /// Starts the backend and waits until it takes connections.
    init(_ place: Place, _ path: String = "backend/backend.mjs", _ settings: [String: String] = [:]) async throws {
        program = try RunningProgram(
            [Project.url("Examples/\(path)").path],
            environment: [
                "ORDER_TOKEN_KEY_FILE": place.key.backend, "EVENTS_SECRET": "whsec_\(place.secret)",
                "ORDERS_FILE": place.folder.path("orders.jsonl"), "PORT": "\(place.socket.port)",
            ].merging(settings) { $1 }, program: "node")
        port = place.socket.port
        let program = program
        try await program.wait(for: "the backend") { program.text.contains("listening at") }
    }

    deinit { client.shutdown() }

    func get(_ path: String, headers: [(name: String, value: String)] = []) async throws -> OutboundAnswer {
        try await client.send(
            OutboundRequest(
                method: .get, url: "http://127.0.0.1:\(port)\(path)", headers: headers, connectTimeout: .seconds(90),
                timeout: .seconds(300))
        ).get()
    }

    func post(
        _ path: String, _ body: String = "", headers: [(name: String, value: String)] = []
    ) async throws -> OutboundAnswer {
        try await client.send(
            OutboundRequest(
                url: "http://127.0.0.1:\(port)\(path)", headers: headers, body: Array(body.utf8),
                connectTimeout: .seconds(90), timeout: .seconds(300))
        ).get()
    }

    /// Orders a coffee and a cup, for 165.00 AED.
    func order() async throws -> String {
        let answer = try await post("/orders", #"{"items": {"coffee": 1, "cup": 1}}"#)
        guard let reference = answer.json?["merchant_reference"]?.stringValue, answer.json?["amount"] == 16_500 else {
            throw RunningProgram.LaunchError(description: String(decoding: answer.body, as: UTF8.self))
        }
        return reference
    }

    func token(of reference: String) async throws -> String {
        try await post("/orders/\(reference)/token").json?["order_token"]?.stringValue ?? ""
    }

    func isShipped(_ reference: String) async throws -> Bool {
        try await get("/orders/\(reference)").json?["shipped"] == true
    }

    /// Returns how often the backend says that it shipped the order.
    func shipments(of reference: String) -> Int { program.lines.count { $0 == "shipped \(reference)" } }
}
