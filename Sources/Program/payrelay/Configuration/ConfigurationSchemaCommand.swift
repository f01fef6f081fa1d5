import ArgumentParser
import CommandLineParts
import Composition
import PayrelayPrimitives
import Settings

struct ConfigurationSchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of the configuration file, for editors and pipelines.")

    func run() {
        say(ConfigurationSchema.json(of: .relay).formatted())
    }
}
