import ArgumentParser
import CommandLineParts
import Composition
import Observability

/// The command line. Each subcommand has one file without logic of its own: it reads its arguments, calls the code
/// that does the work and prints the result.
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
            Serve.self, Token.self, Keys.self, OrderToken.self, OperatorsCommand.self, Payments.self, Reconcile.self,
            Events.self, Forget.self,
            JournalCommand.self,
            ConfigurationCommand.self, DoctorCommand.self, Healthcheck.self, OpenAPICommand.self,
        ] + GatewayModules.commands)

    static func main() async {
        DevelopmentProgram.takeOver(from: CommandLine.arguments)
        await runAsProgram()
    }
}

struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Verify and inspect Apple Pay tokens.",
        subcommands: [TokenVerify.self, TokenInspect.self])
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
