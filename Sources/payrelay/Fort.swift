import ArgumentParser

struct Fort: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "FORT's signatures and codes.", subcommands: [FortSign.self, FortExplain.self, FortCodes.self])
}
