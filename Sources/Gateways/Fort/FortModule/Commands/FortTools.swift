public import ArgumentParser

extension FortModule {
    /// The subcommands that this module adds to `payrelay`: `payrelay fort`.
    public static var commands: [any ParsableCommand.Type] { [FortTools.self] }
}

struct FortTools: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fort", abstract: "FORT's signatures and codes.",
        subcommands: [FortSign.self, FortExplain.self, FortCodes.self])
}
