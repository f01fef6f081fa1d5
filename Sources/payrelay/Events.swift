import ArgumentParser

struct Events: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Work with the events that the merchant's backend is told.", subcommands: [EventsResend.self])
}
