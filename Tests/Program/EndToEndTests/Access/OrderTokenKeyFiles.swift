import Foundation
import TestPrograms
import Testing

/// The two files of `payrelay order-token key`.
struct OrderTokenKeyFiles {
    /// The path of what the backend signs with.
    let backend: String
    /// The path of what the relay verifies with.
    let relay: String

    /// - Parameter present: the relay's file so far, for a rotation.
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

    /// A token for an order of 100.00 AED.
    func sign(_ reference: String, _ others: String...) async throws -> String {
        let (status, text) = try await RunningProgram.run(
            ["order-token", "sign", "--key", backend, "--merchant-reference", reference, "--amount", "100.00"]
                + ["--currency", "AED"] + others)
        #expect(status == 0, "\(text)")
        return text.trimmingCharacters(in: .newlines)
    }
}
