import ArgumentParser
import CommandLineParts
import Foundation

/// `payrelay-dev`, the second program: the relay with sandboxes, the load tester, and the mint for sandbox
/// tokens. None of that is in the program for production.
enum DevelopmentProgram {
    private static let name = "payrelay-dev"

    /// The first words of its commands.
    private static let commands = [["dev"], ["demo"], ["sandbox"], ["loadtest"], ["token", "mint"]]

    /// Replaces this process with `payrelay-dev` if the arguments name one of its commands and the program is in
    /// the same folder. So a developer who has both programs need not remember which of them has a command.
    /// Otherwise returns, or reports that the program is missing.
    ///
    /// - Parameter arguments: the arguments of this process, beginning with its name.
    static func takeOver(from arguments: [String]) {
        guard let command = commands.first(where: { arguments.dropFirst().starts(with: $0) }) else { return }
        let program = folderOfThisProgram.appending(path: name).path
        // Never freed: this process is replaced, or ends below.
        var values: [UnsafeMutablePointer<CChar>?] = ([program] + arguments.dropFirst()).map { strdup($0) }
        values.append(nil)
        execv(program, values)
        let reason = String(cString: strerror(errno))
        let status = failure(
            "'\(command.joined(separator: " "))' is a command of \(name), which cannot be run as \(program): \(reason)",
            status: .no)
        exit(status.rawValue)
    }
}
