import AccessControl
import ArgumentParser
import CommandLineParts
import Foundation

struct OperatorsAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Make an operator's key for the console.",
        discussion: """
            Prints the key on standard error, once: it is stored nowhere. Prints the line to configure, which holds its SHA-256, \
            on standard output:

            payrelay operators add sara --role support >> /etc/payrelay/operators

            PAYRELAY_OPERATORS_FILE names the file; SIGHUP makes the relay read it again. Roles, each with what those before it \
            may: viewer looks, support queries the gateway and sends events again, finance captures, voids, refunds, and settles by hand.
            """)

    @Argument(help: "The operator's name: 1 to 64 of A-Z a-z 0-9 . _ @ + -")
    var name: String

    @Option(help: "viewer, support or finance.")
    var role: OperatorRole

    func run() async throws {
        let key = OperatorKey()
        let entry: OperatorEntry
        do throws(KeyEntryError<OperatorRole>) {
            entry = try OperatorEntry(name: name, permission: role, key: key)
        } catch {
            throw UsageError("The entry \(error).")
        }
        FileHandle.standardError.write(Data("\(key.exposed)\n".utf8))
        say("\(entry)")
    }
}
