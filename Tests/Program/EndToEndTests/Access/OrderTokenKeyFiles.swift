import Foundation
import TestPrograms
import Testing

/// The two files of `payrelay order-token key`.
struct OrderTokenKeyFiles {
    /// The path of the backend's file, with the key that signs.
    let backend: String
    /// The path of the relay's file, with the key that verifies.
    let relay: String

    /// - Parameter present: The relay's file so far, for a rotation.
    init(
        _ algorithm: String = "ES256", named name: String = "k1", in folder: TemporaryFolder,
        beside present: String? = nil
    ) async throws {
        (backend, relay) = (folder.path("\(name)-backend.json"), folder.path("\(name)-relay.json"))
        let (status, text) = try await RunningProgram.run(
            ["order-token", "key", "--algorithm", algorithm, "--kid", name, "--client", "shop", "--backend", backend]
                + ["--relay", relay] + (present.map { ["--with", $0] } ?? []))
        #expect(status == 0, "\(text)")
    }

    /// Returns a token for an order of 100.00 AED.
    func sign(_ reference: String, _ others: String...) async throws -> String {
        let (status, text) = try await RunningProgram.run(
            ["order-token", "sign", "--key", backend, "--merchant-reference", reference, "--amount", "100.00"]
                + ["--currency", "AED"] + others)
        #expect(status == 0, "\(text)")
        return text.trimmingCharacters(in: .newlines)
    }
}
