import AccessControl
import ArgumentParser
import Foundation

struct KeysGenerate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Make an API key.",
        discussion: """
            Prints the key on standard error, once: it is kept nowhere. Prints the line to configure, which holds its SHA-256, \
            on standard output:

            payrelay keys generate shop --scopes payments:create,payments:read >> /etc/payrelay/api-keys

            Scopes: \(Scope.allCases.map(\.rawValue).joined(separator: " "))
            """)

    @Argument(help: "Whose key it is: 1 to 64 of A-Z a-z 0-9 . _ -")
    var client: String

    @Option(help: "What it is good for: scopes with commas between them.")
    var scopes: String

    func run() async throws {
        let key = APIKey()
        let entry: APIKeyEntry
        do throws(APIKeyError) {
            entry = try APIKeyEntry(client: client, scopes: Scope.set(parsing: scopes), key: key)
        } catch {
            throw ValidationError("The entry \(error).")
        }
        FileHandle.standardError.write(Data("\(key.exposed)\n".utf8))
        say("\(entry)")
    }
}
