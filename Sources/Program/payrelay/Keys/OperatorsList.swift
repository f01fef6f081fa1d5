import AccessControl
import ArgumentParser
import CommandLineParts
import Composition
import PayrelayPrimitives

struct OperatorsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the operators that are configured.",
        discussion: "Exit status: 0 there is one, 1 there is none, so no operator can log in to the console.")

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let entries = try options.operators()?.entries ?? []
        if json {
            let list = entries.map { JSON.object(["name": .string($0.name), "role": .string($0.role.rawValue)]) }
            say(JSON.array(list).formatted())
        } else {
            for entry in entries { say("\(entry.name) \(entry.role.rawValue)") }
        }
        if entries.isEmpty {
            throw failure("PAYRELAY_OPERATORS is not set; see payrelay operators add --help", status: .no)
        }
    }
}
