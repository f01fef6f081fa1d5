package import ArgumentParser
import Foundation
import PayrelayPrimitives

extension AsyncParsableCommand {
    /// Parses the arguments of this process and runs the command that they name. This type is the root of the
    /// commands.
    ///
    /// For a mistyped command, the error suggests the command that was probably meant. For an invalid value, the
    /// error has the usage of the subcommand.
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
            // The parser would print the usage of the program instead of the subcommand's.
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

    /// Returns the beginning of the command line with the subcommand that was probably meant; `nil` if every word
    /// names a subcommand, or if no name is similar.
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
