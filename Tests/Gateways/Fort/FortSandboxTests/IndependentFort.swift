import FortAPI
import Foundation
import PayrelayPrimitives
import TestPrograms

/// The FORT of the acceptance tests, in Python. It shares no code with the sandbox and runs in a separate process.
final class IndependentFort {
    /// The URL at which it takes requests.
    let url: String
    private let process: TestProgram
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
        let output = Pipe()
        process = try TestProgram(
            [Shared.python ?? "", "-c", program],
            environment: ["PYTHONPATH": Shared.acceptance.path, "PYTHONDONTWRITEBYTECODE": "1"], input: input,
            output: .pipe(output))
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        url = line.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Ends the process by closing its standard input.
    func stop() {
        try? input.fileHandleForWriting.close()
        _ = process.waitUntilEnd()
    }
}
