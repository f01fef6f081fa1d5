import ArgumentParser

struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Verify, inspect and mint Apple Pay tokens.",
        subcommands: [TokenVerify.self, TokenInspect.self, TokenMintCommand.self])
}
