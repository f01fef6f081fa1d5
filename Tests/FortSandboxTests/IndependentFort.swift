import FortAPI
import Foundation

/// The FORT of the acceptance tests, in Python, which shares no code with this one; it runs in a process of its own.
final class IndependentFort {
    /// Where it takes requests.
    let url: String
    private let process = Process()
    private let input = Pipe()

    init(_ account: FortAccount) throws {
        let program = """
            import sys, fort_mock
            fort = fort_mock.Fort("\(account.signatureType.rawValue)", "\(account.requestPhrase.exposed)",
                                  "\(account.responsePhrase.exposed)", "\(account.accessCode)",
                                  "\(account.merchantIdentifier)")
            print(fort.url, flush=True)
            sys.stdin.read()
            """
        process.executableURL = URL(filePath: Shared.python ?? "")
        process.arguments = ["-c", program]
        process.environment = ["PYTHONPATH": Shared.acceptance.path, "PYTHONDONTWRITEBYTECODE": "1"]
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        url = line.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The process ends when its standard input does.
    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
