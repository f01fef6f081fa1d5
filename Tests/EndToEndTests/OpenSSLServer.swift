import Foundation
import TestPrograms

/// `openssl s_server`: a TLS server as good or bad as a test wants it, which writes down what it is sent and answers nothing.
final class OpenSSLServer: Sendable {
    static let isInstalled = (try? shell("command -v openssl")) != nil

    let port: Int
    let certificate: ServerCertificate
    private let process: TestProgram
    /// It ends with its standard input.
    private let input = Pipe()
    private let output: URL

    /// - Parameter options: more of s_server's.
    init(_ certificate: ServerCertificate, options: [String], in folder: TemporaryFolder) async throws {
        self.certificate = certificate
        port = FreePort.next()
        output = URL(filePath: try folder.file("received-\(port)", ""))
        let log = try FileHandle(forWritingTo: output)
        process = try TestProgram(
            [
                "openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate.certificateFile, "-key",
                certificate.keyFile,
            ] + options, input: input, output: .file(log), errors: .file(log))
        while !received.contains("ACCEPT") {
            guard process.isRunning else { throw RunningProgram.LaunchError(description: received) }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// What it said of its connections, and what came over them.
    var received: String { (try? String(decoding: Data(contentsOf: output), as: UTF8.self)) ?? "" }

    func stop() { process.signal(SIGKILL) }
}
