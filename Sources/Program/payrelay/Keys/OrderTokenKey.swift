public import AccessControl
public import ArgumentParser
import CommandLineParts
import Foundation
import PayrelayPrimitives

struct OrderTokenKey: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Make a new key for order tokens: the backend's part and the relay's.",
        discussion: """
            Writes two JWK Sets, which only their owner can read, and prints no key. An existing file is never written to.

            payrelay order-token key --kid 2026-05 --client shop --backend backend.json --relay relay.json
            """)

    @Option(help: "ES256: the relay's part only verifies. HS256: both parts are one secret.")
    var algorithm = JWTKeyPair.Algorithm.es256

    @Option(help: "The key's name: tokens carry it.")
    var kid: String

    @Option(help: "The client whose tokens it signs: 1 to 64 of A-Z a-z 0-9 . _ -")
    var client: String

    @Option(help: "A new file for the key that the backend signs with.", completion: .file())
    var backend: String

    @Option(help: "A new file for PAYRELAY_JWT_KEYS_FILE.", completion: .file())
    var relay: String

    @Option(help: "The relay's present file: the new one has its keys too, for a rotation.", completion: .file())
    var with: String?

    func run() throws {
        let present = try with.map { path in
            let bytes = try readFile(path)
            guard let set = try? JSON(parsing: bytes) else {
                throw failure("\(path) is not a JWK Set", status: .data)
            }
            return set
        }
        let pair: JWTKeyPair
        do throws(JWTKeysError) {
            pair = try JWTKeyPair(algorithm, named: kid, client: client, beside: present)
        } catch {
            throw UsageError("The relay's set \(error).")
        }
        try writeSecret(pair.signing, to: backend)
        do {
            try writeSecret(pair.verification, to: relay)
        } catch {
            try FileManager.default.removeItem(atPath: backend)
            throw error
        }
        say("\(backend)  for the backend, which signs with it: a secret")
        say(
            "\(relay)  for the relay, as PAYRELAY_JWT_KEYS_FILE"
                + (algorithm == .hs256 ? ": a secret, for it can sign too" : ""))
    }
}

extension JWTKeyPair.Algorithm: ExpressibleByArgument {}
