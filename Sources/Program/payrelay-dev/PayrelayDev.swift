import ArgumentParser
import CommandLineParts
import Observability

/// The command line for developers: a relay with sandboxes instead of gateways, a load tester, and a mint for
/// tokens that a relay accepts only if it is configured to trust the sandbox's root. None of it is in `payrelay`,
/// the program for production.
@main
struct PayrelayDev: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "payrelay-dev",
        abstract: "Develop and test against payrelay, without an iPhone and without a gateway.",
        discussion: """
            Without a command it runs `dev`: the relay, the sandboxes of its gateways and a checkout page. Nothing here touches real money.

            Exit status: 0 success, 1 the answer is no, 64 wrong usage.
            """,
        version: BuildInfo.current.version,
        subcommands: [Dev.self, Demo.self, Sandbox.self, LoadTestCommand.self, Token.self], defaultSubcommand: Dev.self)

    static func main() async { await runAsProgram() }
}

struct Token: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Mint Apple Pay tokens.", subcommands: [TokenMintCommand.self])
}
