import ArgumentParser
import CommandLineParts
import Foundation

/// `payrelay-dev`, the second program: the relay with sandboxes, the load tester, the mint of sandbox tokens. What runs in production has
/// none of that in it.
enum DevelopmentProgram {
    private static let name = "payrelay-dev"

    /// The beginnings of its command lines.
    static let commands = [["dev"], ["demo"], ["sandbox"], ["loadtest"], ["token", "mint"]]

    /// Runs `payrelay-dev` in this process's place, if the arguments name one of its commands and it lies beside this program: a developer
    /// who has both need not remember which of them has a command. Otherwise returns, or says which program is missing.
    ///
    /// - Parameter arguments: those of this process, its own name first.
    static func takeOver(from arguments: [String]) {
        guard commands.contains(where: { arguments.dropFirst().starts(with: $0) }) else { return }
        let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let program = folder.appending(path: name).path
        var values: [UnsafeMutablePointer<CChar>?] = ([program] + arguments.dropFirst()).map { strdup($0) }
        defer { for value in values { free(value) } }
        values.append(nil)
        execv(program, values)
        let reason = String(cString: strerror(errno))
        let command = arguments.dropFirst().prefix(arguments[1] == "token" ? 2 : 1).joined(separator: " ")
        let status = failure(
            "'\(command)' is a command of payrelay-dev, which cannot be run from \(folder.path): \(reason)", status: .no
        )
        exit(status.rawValue)
    }
}
