import ArgumentParser
import Foundation
import RelayServer

/// Where the settings come from, for every command that works with the relay's own.
struct ConfigurationOptions: ParsableArguments {
    @Option(help: "A YAML file with settings.", completion: .file())
    var config: String?

    /// - Throws: exit status 78, with every fault named.
    func configuration() throws -> RelayConfiguration {
        do throws(ConfigurationFaults) {
            return try RelayConfiguration(
                ConfigurationSources(environment: ProcessInfo.processInfo.environment, file: config))
        } catch {
            throw failure(error.description, status: .configuration)
        }
    }
}
