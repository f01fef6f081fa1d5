import ArgumentParser
import CommandLineParts
import Composition
import PayrelayPrimitives
import Settings

struct ConfigurationCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Name everything that is wrong with the settings, and what to do about it.",
        discussion: """
            The settings are read as `payrelay serve` reads them, with the files that they name; nothing is started, queried or \
            written. `payrelay doctor` goes on from there and queries the gateways and Apple.

            Exit status: 0 the settings are in order, 1 they are not.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        var errors: [SettingError] = []
        do throws(ConfigurationError) {
            _ = try options.configurationOrErrors()
        } catch {
            errors = error.errors
        }
        if json {
            say(JSON.array(errors.map(document)).formatted())
        } else {
            for error in errors {
                say("\(error)".terminalText)
                say("  -> \(error.advice.terminalText)")
            }
            say(errors.isEmpty ? "the settings are in order" : "\(errors.count) error\(errors.count == 1 ? "" : "s")")
        }
        if !errors.isEmpty { throw ExitCode(ExitStatus.no.rawValue) }
    }

    private func document(_ error: SettingError) -> JSON {
        [
            "setting": .string(error.name), "source": error.source.map { .string("\($0)") } ?? .null,
            "problem": .string(error.problem), "advice": .string(error.advice),
        ]
    }
}
