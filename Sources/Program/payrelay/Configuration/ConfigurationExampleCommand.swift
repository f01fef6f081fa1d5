import ArgumentParser
import Composition
import Foundation
import Settings

struct ConfigurationExampleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "example",
        abstract: "Print a configuration file to begin with: every setting, commented out with its default.")

    func run() {
        FileHandle.standardOutput.write(Data(ConfigurationExample.text(of: .relay).utf8))
    }
}
