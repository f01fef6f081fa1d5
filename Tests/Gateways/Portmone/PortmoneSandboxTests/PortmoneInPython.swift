import Foundation
import PayrelayPrimitives
import TestPrograms

/// The client of `portmone.py`, which runs in a separate process. It shares no code with the sandbox and was written from
/// public documents only.
enum PortmoneInPython {
    static var isInstalled: Bool { python != nil }

    private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first(
        where: FileManager.default.isExecutableFile(atPath:))

    private static let program = Project.url("Tests/Program/EndToEndTests/PortmoneInPython/portmone.py").path

    struct Ended: Error {
        let text: String
    }

    /// Makes the client carry out commands, one after another.
    ///
    /// - Returns: The client's output after each command.
    static func carryOut(_ commands: [JSON], url: String, paymentData: String) async throws -> [JSON] {
        let account: JSON = [
            "url": .string(url), "login": "SHOP", "password": "pass phrase", "payeeId": "1185",
            "aPayMerchantName": "merchant.shop", "signingKey": "testkey", "paymentData": .string(paymentData),
        ]
        let input = ([account] + commands).map { $0.encoded() + Array("\n".utf8) }.joined()
        let finished = try await onThread {
            try FinishedProgram([python ?? "", program], input: Data(input), withErrors: true)
        }
        guard finished.succeeded else { throw Ended(text: finished.text) }
        return try finished.text.split(separator: "\n").map { try JSON(parsing: String($0)) }
    }
}
