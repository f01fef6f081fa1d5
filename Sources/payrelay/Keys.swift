import ArgumentParser

struct Keys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Keys for those who call the relay.", subcommands: [KeysGenerate.self])
}
