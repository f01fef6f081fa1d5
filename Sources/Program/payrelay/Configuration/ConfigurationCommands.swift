import ArgumentParser

/// The commands that read the settings of `payrelay serve`. None of them starts or writes anything.
struct ConfigurationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Check and print the settings of `payrelay serve`.",
        subcommands: [
            ConfigurationCheck.self, ConfigurationPrint.self, ConfigurationSchemaCommand.self,
            ConfigurationExampleCommand.self,
        ])
}
