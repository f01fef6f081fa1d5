import AccessControl
import ArgumentParser
import CommandLineParts
import Composition
import PayrelayPrimitives

struct KeysList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the API keys that are configured: clients and scopes, no key.",
        discussion: "Exit status: 0 there is one, 1 there is none.")

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let entries = try options.apiKeys()?.entries ?? []
        if json {
            let list = entries.map { entry -> JSON in
                let scopes = entry.permission.map(\.rawValue).sorted().map { JSON.string($0) }
                return ["client": .string(entry.name), "scopes": .array(scopes), "sha256": .string(entry.digestText)]
            }
            say(JSON.array(list).formatted())
        } else {
            // The beginning of the digest distinguishes the keys of one client during a rotation.
            say(
                table: entries.map { entry in
                    [
                        entry.name, entry.permission.map(\.rawValue).sorted().joined(separator: ","),
                        String(entry.digestText.prefix(8)),
                    ]
                })
        }
        if entries.isEmpty {
            throw failure("PAYRELAY_API_KEYS is not set; see payrelay keys generate --help", status: .no)
        }
    }
}
