import ApplePayToken
import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import GatewayModule
import PayrelayPrimitives
import Settings

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Examine the settings of `payrelay serve`, and what they lead to, before the first real card.",
        discussion: """
            It queries each gateway about an order that does not exist, with each account; Apple for a merchant session; the \
            domains for Apple's file; your backend, with a GET of the address of its events; and the journal for a durable write. \
            Nothing is charged, and no token and no event is sent. It can run beside a relay.

            Exit status: 0 nothing fails, 1 something fails, 78 the settings cannot be read.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Option(help: "A file with a token of the merchant's app: it is verified as the relay would.", completion: .file())
    var token: String?

    @Flag(help: "Print JSON, one object a line.")
    var json = false

    func run() async throws {
        let token = try token.map { try readToken(from: $0) }
        let configuration: RelayConfiguration
        do throws(ConfigurationError) {
            configuration = try options.configurationOrErrors()
        } catch {
            for error in error.errors {
                show(Diagnostic("settings", .fail, error.description, advice: error.advice))
            }
            throw ExitCode(ExitStatus.configuration.rawValue)
        }
        show(Diagnostic("settings", .pass, "they can be read"))
        var fails = false
        await Doctor(configuration, token: token).examine { diagnostic in
            show(diagnostic)
            if diagnostic.verdict == .fail { fails = true }
        }
        if fails { throw ExitCode(ExitStatus.no.rawValue) }
    }

    private func show(_ diagnostic: Diagnostic) {
        guard !json else { return say(diagnostic.json.terminalText) }
        let sign =
            switch diagnostic.verdict {
            case .pass: "pass"
            case .fail: "FAIL"
            case .unknown: "?   "
            }
        say("\(sign) \(diagnostic.check.terminalText): \(diagnostic.detail.terminalText)")
        if diagnostic.verdict != .pass, let advice = diagnostic.advice { say("       -> \(advice)") }
    }
}
