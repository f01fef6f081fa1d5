package import ArgumentParser
import Foundation
import PayrelayPrimitives

extension AsyncParsableCommand {
    /// Parses this process's arguments and runs the command that they name, with this type as the root of the commands.
    ///
    /// A mistyped command is answered with the one that was probably meant. A wrong value is answered with the usage of its sub-command.
    package static func runAsProgram() async {
        CrashOutput.omitMemory()
        CrashOutput.keepTheLog()
        let command: any ParsableCommand
        do {
            command = try parseAsRoot()
        } catch {
            guard let intended = Self.intended(by: CommandLine.arguments.dropFirst()) else { exit(withError: error) }
            refuse("\(fullMessage(for: error))\n  Did you mean '\(intended)'?", exitCode(for: error))
        }
        do {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = command
                try command.run()
            }
        } catch let error as UsageError {
            // The parser would print the usage of the program, not of the sub-command.
            refuse(
                "Error: \(error.message)\nUsage: \(usageString(for: type(of: command)).trimmedOfWhiteSpace)",
                exitCode(for: error))
        } catch {
            exit(withError: error)
        }
    }

    private static func refuse(_ text: String, _ status: ExitCode) -> Never {
        try? FileHandle.standardError.show(text + "\n")
        exit(withError: status)
    }

    /// Returns the command line's beginning with the sub-command that was probably meant; `nil` if every word names one, or none is near.
    private static func intended(by arguments: ArraySlice<String>) -> String? {
        var path: [any ParsableCommand.Type] = [Self.self]
        for word in arguments {
            let subcommands = path[path.count - 1].configuration.subcommands
            guard !subcommands.isEmpty, !word.begins(with: "-") else { return nil }
            guard let next = subcommands.first(where: { $0._commandName == word }) else {
                guard let name = NearestName.nearest(to: word, among: subcommands.map { $0._commandName }) else {
                    return nil
                }
                return (path.map { $0._commandName } + [name]).joined(separator: " ")
            }
            path.append(next)
        }
        return nil
    }
}
