import Foundation
import PayrelayPrimitives
import TestPrograms
import Testing

/// Checks every `payrelay …` and `payrelay-dev …` in the documentation with the program's own description of its arguments.
@Suite struct DocumentedCommandsTests {
    @Test("Every sub-command and option that the documentation names is one of the program that it names")
    func everyCommandIsOne() async throws {
        let programs = [
            "payrelay": try await Self.program("payrelay"), "payrelay-dev": try await Self.program("payrelay-dev"),
        ]
        var seen = 0
        for page in DocumentationPage.all {
            for command in page.commands {
                for match in command.matches(
                    of:
                        /(?:^|[;&|(] *|exec |[A-Z_]+=\S+ +)(?:\S*\/)?(?<program>payrelay|payrelay-dev) (?<arguments>[^|;&<>#()]*)/
                ) {
                    let arguments = String(match.output.arguments).split(separator: " ").map(String.init)
                    let name = String(match.output.program)
                    if let unknown = programs[name]?.unknown(in: arguments) {
                        Issue.record("\(page): \(name) \(arguments.joined(separator: " ")): \(unknown)")
                    }
                    seen += 1
                }
            }
        }
        #expect(seen > 100)
    }

    @Test(
        "An unknown sub-command or option is noticed",
        arguments: [
            ("serve --config FILE", nil), ("payments list --limit 3", nil), ("reconcile --all", nil),
            ("reconcile report FILE.csv", nil), ("serve --configuration FILE", "--configuration"),
            ("payment list", "payment"), ("payments lst", "lst"), ("fort codes --all", "--all"),
        ])
    func unknownOnesAreNoticed(arguments: String, unknown: String?) async throws {
        let program = try await Self.program("payrelay")
        #expect(program.unknown(in: arguments.split(separator: " ").map(String.init)) == unknown)
    }

    /// Returns the program's arguments as swift-argument-parser describes them.
    private static func program(_ name: String) async throws -> DescribedCommand {
        let help = try RunningProgram(["--experimental-dump-help"], program: RunningProgram.built(name).path)
        #expect(try await help.end() == 0)
        let command = try #require(JSON(parsing: Array(help.text.utf8))["command"])
        // The description has the default of every command except the root command.
        return DescribedCommand(command, defaultSubcommand: name == "payrelay-dev" ? "dev" : nil)
    }
}

/// A command with its options and sub-commands.
private struct DescribedCommand {
    let name: String
    let options: Set<String>
    let takesValues: Bool
    let subcommands: [DescribedCommand]
    /// The sub-command that runs if none is named.
    let defaultSubcommand: String?

    init(_ json: JSON, defaultSubcommand: String? = nil) {
        name = json["commandName"]?.stringValue ?? ""
        var options: Set<String> = []
        var takesValues = false
        for argument in json["arguments"]?.arrayValue ?? [] {
            if argument["kind"]?.stringValue == "positional" { takesValues = true }
            for name in argument["names"]?.arrayValue ?? [] {
                options.insert((name["kind"]?.stringValue == "long" ? "--" : "-") + (name["name"]?.stringValue ?? ""))
            }
        }
        self.options = options
        self.takesValues = takesValues
        subcommands = (json["subcommands"]?.arrayValue ?? []).map { DescribedCommand($0) }
        self.defaultSubcommand = json["defaultSubcommand"]?.stringValue ?? defaultSubcommand
    }

    /// Returns the first argument that is neither a sub-command nor an option, if one is required there.
    func unknown(in arguments: [String]) -> String? {
        guard let first = arguments.first else { return nil }
        if let subcommand = subcommands.first(where: { $0.name == first }) {
            return subcommand.unknown(in: Array(arguments.dropFirst()))
        }
        if let fallback = subcommands.first(where: { $0.name == defaultSubcommand }) {
            return fallback.unknown(in: arguments)
        }
        for argument in arguments where argument.hasPrefix("-") && argument.count > 1 {
            let option = String(argument.prefix { $0 != "=" && $0 != "…" && $0 != "," })
            if !options.contains(option) { return argument }
        }
        let isPlaceholder = first == "…" || first.allSatisfy { $0.isUppercase || $0 == "-" }
        return subcommands.isEmpty || first.hasPrefix("-") || isPlaceholder ? nil : first
    }
}
