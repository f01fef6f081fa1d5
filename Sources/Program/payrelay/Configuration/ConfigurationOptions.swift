import AccessControl
import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import HTTPListener
import Settings

/// The options with the source of the settings, for every command that uses the relay's settings.
struct ConfigurationOptions: ParsableArguments {
    @Option(help: "A YAML file with settings. (default: the one that PAYRELAY_CONFIG names)", completion: .file())
    var config: String?

    /// Reads the configuration.
    ///
    /// - Throws: exit status 78 with every error.
    func configuration() throws -> RelayConfiguration {
        try read { (sources) throws(ConfigurationError) in try RelayConfiguration(sources) }
    }

    /// Reads the configuration, for a command that reports the errors itself.
    func configurationOrErrors() throws(ConfigurationError) -> RelayConfiguration {
        try RelayConfiguration(sources())
    }

    /// Returns a report of the settings, whether or not they are valid.
    ///
    /// - Throws: exit status 78 if the file cannot be read.
    func report() throws -> ConfigurationReport {
        try read { (sources) throws(ConfigurationError) in ConfigurationReport(sources) }
    }

    private func sources() throws(ConfigurationError) -> ConfigurationSources {
        try ConfigurationSources(environment: ProcessInfo.processInfo.environment, file: config)
    }

    /// Returns the admin listener of a relay with these settings. Other settings are not read.
    ///
    /// - Throws: exit status 78 with every error.
    func adminListener() throws -> (address: ListenerAddress, usesTLS: Bool) {
        try read { (sources) throws(ConfigurationError) in try RelayConfiguration.adminListener(sources) }
    }

    /// Returns the place of the journal. Other settings are not read.
    ///
    /// - Throws: exit status 78 with every error.
    func journal() throws -> JournalPlace {
        try read { (sources) throws(ConfigurationError) in try RelayConfiguration.journal(sources) }
    }

    /// Returns the archive; `nil` if there is none. Other settings are not read.
    ///
    /// - Throws: exit status 78 with every error.
    func archive() throws -> PaymentArchive? {
        try read { (sources) throws(ConfigurationError) in try RelayConfiguration.archive(sources) }
    }

    /// Returns the operators of a relay with these settings; `nil` if there are none. Other settings are not
    /// read.
    ///
    /// - Throws: exit status 78 with every error.
    func operators() throws -> Operators? {
        try read { (sources) throws(ConfigurationError) in try RelayConfiguration.operators(sources) }
    }

    /// Returns the API keys of a relay with these settings; `nil` if there are none. Other settings are not read.
    ///
    /// - Throws: exit status 78 with every error.
    func apiKeys() throws -> APIKeys? {
        try read { (sources) throws(ConfigurationError) in try RelayConfiguration.apiKeys(sources) }
    }

    private func read<Value>(_ read: (ConfigurationSources) throws(ConfigurationError) -> Value) throws -> Value {
        do throws(ConfigurationError) {
            return try read(sources())
        } catch {
            throw failure(error.description, status: .configuration)
        }
    }
}
