import CommandLineParts
import ArgumentParser
import Composition
import Settings
import PayrelayPrimitives

struct ConfigurationSchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of the configuration file, for editors and pipelines.")

    func run() {
        say(ConfigurationSchema.json(of: .relay).formatted())
    }
}
