import Foundation
import PayrelayPrimitives
import TokenMint

/// A relay and its sandbox, each started as a separate process for a load test.
final class LoadTestServers: Sendable {
    let sandbox: LoadTestProcess
    let relay: LoadTestProcess
    let sandboxAddress: String
    let relayAddress: String

    /// Starts both on free ports and waits until they accept connections.
    ///
    /// - Throws: ``LoadTestProcess/LaunchError`` with the program's output.
    init(in folder: LoadTestFolder) async throws {
        let sandbox = try LoadTestProcess(
            "payrelay-dev", ["sandbox", "--port", "0"], log: folder.path + "/sandbox.log")
        // The program prints this setting last, together with the others.
        let (address, settings) = try await sandbox.wait(for: "the sandbox's settings") { text in
            text.has("PAYRELAY_TOKEN_TRUST_ANCHOR_FILE") ? (Self.address(in: text), Self.exports(in: text)) : nil
        }
        let anchor = folder.path + "/root-ca.pem"
        try Data(SandboxPKI.published.pem(.root).utf8).write(to: URL(filePath: anchor))
        let environment = settings.merging([
            "PAYRELAY_HTTP_PORT": "0", "PAYRELAY_ADMIN_PORT": "0", "PAYRELAY_TOKEN_TRUST_ANCHOR_FILE": anchor,
            "PAYRELAY_JOURNAL": "sqlite:\(folder.path)/journal.sqlite",
        ]) { $1 }
        let relay = try LoadTestProcess(
            "payrelay", ["serve"], environment: environment, log: folder.path + "/relay.log")
        let port = try await relay.wait(for: "the relay to listen", Self.port)
        self.sandbox = sandbox
        self.relay = relay
        relayAddress = "http://127.0.0.1:\(port)"
        sandboxAddress = address
    }

    /// Kills both processes. Their data is not kept.
    func stop() {
        relay.kill()
        sandbox.kill()
    }

    private static func address(in text: String) -> String {
        let address = text.lines.lazy.compactMap { $0.after("The sandboxes listen at ") }.first?.words.first
        // Removes the full stop at the end of the sentence.
        return address.map { String($0.dropLast()) } ?? ""
    }

    private static func exports(in text: String) -> [String: String] {
        let pairs = text.lines.compactMap { line -> (String, String)? in
            guard let (name, value) = line.after("export ")?.cut(at: "="), let value else { return nil }
            return (String(name), String(value))
        }
        return Dictionary(pairs) { $1 }
    }

    /// Returns the port that the relay logged when it began to listen.
    private static func port(in log: String) -> String? {
        log.lines.lazy.compactMap { try? JSON(parsing: String($0)) }
            .first { $0["message"] == "listening" }?["port"]?.stringValue
    }
}

/// A folder for the files of a running load test. It is deleted with the last reference.
final class LoadTestFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "payrelay-load-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
