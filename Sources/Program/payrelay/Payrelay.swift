import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import Observability
import PayrelayPrimitives
import Settings

/// The command line. One file per sub-command, and no logic: each reads its arguments, calls a room and prints.
@main
struct Payrelay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "payrelay",
        abstract: "Relays Apple Pay tokens to payment gateways.",
        discussion: """
            payrelay verifies that Apple signed a token, relays it to the gateway of its account, verifies the \
            answer, and journals every payment so that none is lost and none is charged twice.

            Exit status: 0 success, 1 the answer is no, 64 wrong usage.
            """,
        version: BuildInfo.current.version,
        subcommands: [
            Serve.self, Dev.self, Demo.self, Sandbox.self, Token.self, LoadTestCommand.self, Keys.self,
            OrderToken.self, OperatorsCommand.self, Payments.self, Reconcile.self, Events.self, Forget.self,
            JournalCommand.self,
            ConfigurationCommand.self, DoctorCommand.self, Healthcheck.self, OpenAPICommand.self,
        ] + GatewayModules.commands)

    static func main() async {
        CrashOutput.omitMemory()
        CrashOutput.keepTheLog()
        let command: any ParsableCommand
        do {
            command = try parseAsRoot()
        } catch {
            guard let intended = Self.intended(by: CommandLine.arguments.dropFirst()) else { exit(withError: error) }
            refuse("\(fullMessage(for: error))\n  Did you mean '\(intended)'?", exitCode(for: error))
        }
        do {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = command
                try command.run()
            }
        } catch let error as UsageError {
            // The parser would print the usage of the program, not of the sub-command.
            refuse(
                "Error: \(error.message)\nUsage: \(usageString(for: type(of: command)).trimmedOfWhiteSpace)",
                exitCode(for: error))
        } catch {
            exit(withError: error)
        }
    }

    private static func refuse(_ text: String, _ status: ExitCode) -> Never {
        try? FileHandle.standardError.show(text + "\n")
        exit(withError: status)
    }

    /// Returns the command line's beginning with the sub-command that was probably meant; `nil` if every word names one, or none is near.
    private static func intended(by arguments: ArraySlice<String>) -> String? {
        var path: [any ParsableCommand.Type] = [Self.self]
        for word in arguments {
            let subcommands = path[path.count - 1].configuration.subcommands
            guard !subcommands.isEmpty, !word.begins(with: "-") else { return nil }
            guard let next = subcommands.first(where: { $0._commandName == word }) else {
                guard let name = NearestName.nearest(to: word, among: subcommands.map { $0._commandName }) else {
                    return nil
                }
                return (path.map { $0._commandName } + [name]).joined(separator: " ")
            }
            path.append(next)
        }
        return nil
    }
}

struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Verify, inspect and mint Apple Pay tokens.",
        subcommands: [TokenVerify.self, TokenInspect.self, TokenMintCommand.self])
}

struct Keys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "API keys for the relay's clients.", subcommands: [KeysGenerate.self, KeysList.self])
}

struct Reconcile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the payments that are still open, or compare a report of a gateway with the journal.",
        subcommands: [ReconcileOpen.self, ReconcileReport.self], defaultSubcommand: ReconcileOpen.self)
}

struct OperatorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operators", abstract: "Those who may log in to the console.",
        subcommands: [OperatorsAdd.self, OperatorsList.self])
}

struct Events: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Work with the events for the merchant's backend.", subcommands: [EventsShow.self, EventsResend.self])
}

struct Payments: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find payments in the journal, and settle what the gateway leaves open.",
        subcommands: [
            PaymentsList.self, PaymentsShow.self, PaymentsSync.self, PaymentsResolve.self, PaymentsExport.self,
        ])
}
