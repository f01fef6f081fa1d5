import ArgumentParser

struct OrderToken: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sign and verify order tokens, and make keys for them.",
        subcommands: [OrderTokenSign.self, OrderTokenVerify.self, OrderTokenKey.self])
}
