import Foundation
import Primitives
import TokenMint

/// A relay and its sandbox, started for a load test, each as a process of its own.
final class LoadTestServers: Sendable {
    let sandbox: LoadTestProcess
    let relay: LoadTestProcess
    let sandboxAddress: String
    let relayAddress: String

    /// Starts both on free ports and waits until they take connections.
    ///
    /// - Throws: ``LoadTestProcess/LaunchError`` with what the program wrote.
    init(in folder: LoadTestFolder) async throws {
        let sandbox = try LoadTestProcess(["sandbox", "--port", "0"], log: folder.path + "/sandbox.log")
        // The line that it prints last.
        let settings = try await sandbox.wait(for: "the sandbox's settings") { text in
            text.contains("PAYRELAY_TOKEN_TRUST_ANCHOR_FILE") ? Self.exports(in: text) : nil
        }
        let anchor = folder.path + "/root-ca.pem"
        try Data(SandboxPKI.published.pem(.root).utf8).write(to: URL(filePath: anchor))
        let ports = try Self.freePorts(2)
        let environment = settings.merging([
            "PAYRELAY_HTTP_PORT": "\(ports[0])", "PAYRELAY_ADMIN_PORT": "\(ports[1])",
            "PAYRELAY_TOKEN_TRUST_ANCHOR_FILE": anchor,
            "PAYRELAY_JOURNAL": "sqlite:\(folder.path)/journal.sqlite",
        ]) { $1 }
        let relay = try LoadTestProcess(["serve"], environment: environment, log: folder.path + "/relay.log")
        _ = try await relay.wait(for: "the relay to listen") { Self.saysThatItListens($0) ? true : nil }
        self.sandbox = sandbox
        self.relay = relay
        relayAddress = "http://127.0.0.1:\(ports[0])"
        sandboxAddress = settings["PAYRELAY_FORT_ENDPOINT", default: ""].replacing("/FortAPI/paymentApi", with: "")
    }

    /// Kills both: nothing of theirs is kept.
    func stop() {
        relay.kill()
        sandbox.kill()
    }

    private static func exports(in text: String) -> [String: String] {
        let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
            guard line.hasPrefix("export "), let equals = line.firstIndex(of: "=") else { return nil }
            return (String(line[..<equals].dropFirst("export ".count)), String(line[line.index(after: equals)...]))
        }
        return Dictionary(pairs) { $1 }
    }

    /// The relay logs that it listens; its admin listener is earlier.
    private static func saysThatItListens(_ text: String) -> Bool {
        text.split(separator: "\n").contains { (try? JSON(parsing: String($0)))?["message"] == "listening" }
    }

    /// Free TCP ports. Should another process take one before the relay does, the relay ends and says so.
    private static func freePorts(_ count: Int) throws -> [Int] {
        // All are held until each is known, so that they differ.
        let ports = (0..<count).map { _ in LoadTestPort() }
        let numbers = ports.compactMap(\.number)
        guard numbers.count == count else {
            throw LoadTestProcess.LaunchError(description: "the system has no free port on loopback")
        }
        return numbers
    }
}

/// A folder for what a load test needs while it runs. It is gone with the last reference.
final class LoadTestFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "payrelay-load-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A port on loopback, held for as long as this lives.
final class LoadTestPort {
    /// nil where the system has none.
    let number: Int?
    private let descriptor: Int32

    init() {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        number = isBound ? Int(in_port_t(bigEndian: address.sin_port)) : nil
    }

    deinit { close(descriptor) }
}
