import Foundation
import TestPrograms

/// `openssl s_server`: a TLS server with a test's options, which records its input and answers nothing.
final class OpenSSLServer: Sendable {
    static let isInstalled = (try? shell("command -v openssl")) != nil

    let port: Int
    let certificate: ServerCertificate
    private let process: TestProgram
    /// The server's standard input. The server ends with it.
    private let input = Pipe()
    private let output: URL

    /// - Parameter options: Additional options of s_server.
    init(_ certificate: ServerCertificate, options: [String], in folder: TemporaryFolder) async throws {
        self.certificate = certificate
        output = URL(filePath: try folder.file("received-\(UUID().uuidString)", ""))
        let log = try FileHandle(forWritingTo: output)
        process = try TestProgram(
            [
                "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", certificate.certificateFile, "-key",
                certificate.keyFile,
            ] + options, input: input, output: .file(log), errors: .file(log))
        // With port 0, the server prints the port that it got.
        let deadline = ContinuousClock.now + .seconds(300)
        while true {
            let text = Self.text(of: output)
            if let line = text.firstMatch(of: /ACCEPT 127\.0\.0\.1:(\d+)/), let number = Int(line.1) {
                port = number
                return
            }
            guard process.isRunning, ContinuousClock.now < deadline else {
                throw RunningProgram.LaunchError(description: "openssl s_server does not listen: \(text)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The server's log of connections, and the connections' input.
    var received: String { Self.text(of: output) }

    private static func text(of file: URL) -> String {
        (try? String(decoding: Data(contentsOf: file), as: UTF8.self)) ?? ""
    }

    func stop() { process.signal(SIGKILL) }
}
