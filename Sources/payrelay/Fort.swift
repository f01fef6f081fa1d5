import ArgumentParser

struct Fort: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "FORT's signatures.", subcommands: [FortSign.self])
}
