import AccessControl
import ArgumentParser
import CommandLineParts
import Foundation

struct KeysGenerate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Generate an API key.",
        discussion: """
            Prints the key on standard error, once: it is stored nowhere. Prints the line to configure, which holds its SHA-256, \
            on standard output:

            payrelay keys generate shop --scopes payments:create,payments:read >> /etc/payrelay/api-keys

            Scopes: \(Scope.allCases.map(\.rawValue).joined(separator: " "))
            """)

    @Argument(help: "The client's name: 1 to 64 of A-Z a-z 0-9 . _ -")
    var client: String

    @Option(help: "What the client may do: scopes separated by commas.")
    var scopes: String

    func run() async throws {
        let key = APIKey()
        let entry: APIKeyEntry
        do throws(KeyEntryError<Set<Scope>>) {
            entry = try APIKeyEntry(name: client, permission: Set(parsing: scopes[...]), key: key)
        } catch {
            throw UsageError("The entry \(error).")
        }
        FileHandle.standardError.write(Data("\(key.exposed)\n".utf8))
        say("\(entry)")
    }
}
