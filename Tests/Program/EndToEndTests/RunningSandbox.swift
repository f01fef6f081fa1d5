import Foundation
import FoundationNetworking
import OutboundHTTP
import PayrelayPrimitives

/// `payrelay-dev sandbox`, and the settings that it prints for a relay.
final class RunningSandbox: Sendable {
    let program: RunningProgram
    /// The settings for a relay: the sandbox's FORT, and the root of its tokens.
    let settings: [String: String]
    /// The settings of the sandbox's Portmone, for a relay with a second gateway.
    let portmoneSettings: [String: String]

    /// - Parameters:
    ///   - port: The port, or 0 for a port that the system chooses.
    ///   - sessionCertificates: A folder for the certificates of a sandbox that is also Apple's session host.
    ///   - config: A relay's settings file, whose accounts replace the sandbox's own.
    init(port: Int = 0, sessionCertificates folder: String? = nil, config: String? = nil) async throws {
        let session = folder.map { ["--session-port", "0", "--session-certificates", $0] } ?? []
        let accounts = config.map { ["--config", $0] } ?? []
        let program = try RunningProgram(["sandbox", "--port", "\(port)"] + session + accounts)
        try await program.wait(for: "the sandbox's settings") {
            program.text.contains("root-ca.pem\n") && (folder == nil || program.text.contains("/ca.pem\n"))
        }
        let exports = program.lines.filter { $0.hasPrefix("export ") }.map { $0.dropFirst("export ".count) }
        let all = Dictionary(
            uniqueKeysWithValues: exports.map { line in
                let parts = line.split(separator: "=", maxSplits: 1)
                return (String(parts[0]), String(parts[1]))
            })
        portmoneSettings = all.filter { $0.key.hasPrefix("PAYRELAY_PORTMONE_") }
        settings = all.filter { !$0.key.hasPrefix("PAYRELAY_PORTMONE_") }
        self.program = program
    }

    private var endpoint: String { settings["PAYRELAY_FORT_ENDPOINT", default: ""] }

    var port: Int { URL(string: endpoint)?.port ?? 0 }

    /// Changes one of the sandbox's settings: `faults` or `feedback`.
    func set(_ name: String, _ settings: JSON) async throws {
        let url = endpoint.replacing("/FortAPI/paymentApi", with: "/_sandbox/\(name)")
        var request = URLRequest(url: URL(string: url) ?? URL(filePath: "/"))
        request.httpMethod = "PUT"
        request.httpBody = Data(settings.encoded())
        request.timeoutInterval = 300
        let (data, response) = try await URLSession.shared.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            throw RunningProgram.LaunchError(description: String(decoding: data, as: UTF8.self))
        }
    }

    /// Returns the sandbox's answer to FORT's mobile SDK.
    func sdk(_ order: JSON) async throws -> JSON {
        let client = OutboundClient()
        defer { client.shutdown() }
        let url = endpoint.replacing("/FortAPI/paymentApi", with: "/FortAPI/sdk/iOS/processSdkTnx")
        let headers = [(name: "Content-Type", value: "application/json")]
        let request = OutboundRequest(
            url: url, headers: headers, body: order.encoded(), connectTimeout: .seconds(90), timeout: .seconds(300))
        return try JSON(parsing: try await client.send(request).get().body)
    }

    /// Returns one of the sandbox's settings, with its counts.
    func shown(_ name: String) async throws -> JSONObject {
        let client = OutboundClient()
        defer { client.shutdown() }
        let url = endpoint.replacing("/FortAPI/paymentApi", with: "/_sandbox/\(name)")
        let request = OutboundRequest(method: .get, url: url, connectTimeout: .seconds(90), timeout: .seconds(300))
        return try JSON(parsing: try await client.send(request).get().body).objectValue ?? [:]
    }

    /// Waits until all feedback is delivered or given up.
    func waitForFeedback() async throws {
        let client = OutboundClient()
        defer { client.shutdown() }
        let url = endpoint.replacing("/FortAPI/paymentApi", with: "/_sandbox/feedback")
        try await program.wait(for: "its feedback") {
            let answer = try await client.send(
                OutboundRequest(method: .get, url: url, connectTimeout: .seconds(90), timeout: .seconds(300))
            ).get()
            return try JSON(parsing: answer.body)["under_way"] == 0
        }
    }

    /// Returns the orders in the books of a gateway.
    func books(of gateway: TestedGateway = .fort) async throws -> [JSON] {
        let client = OutboundClient()
        defer { client.shutdown() }
        let url = endpoint.replacing("/FortAPI/paymentApi", with: gateway.booksPath)
        let request = OutboundRequest(
            method: .get, url: url, connectTimeout: .seconds(90), timeout: .seconds(300), answerLimit: 67_108_864)
        let answer = try await client.send(request).get()
        return try JSON(parsing: answer.body).arrayValue ?? []
    }

    /// Returns the number of charged orders with the reference in the books.
    func charges(of reference: String, at gateway: TestedGateway = .fort) async throws -> Int {
        try await books(of: gateway).count {
            $0[gateway.referenceInBooks] == .string(reference) && $0["charged"] == true
        }
    }
}
