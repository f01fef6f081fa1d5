import ApplePayToken
import ArgumentParser
import Primitives

struct TokenInspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Show what is in a token, without judging it.",
        discussion: "Data and signature are cut: what is shown cannot be charged.")

    @Argument(help: "A file with the token as JSON, in any shape that apps send.", completion: .file())
    var file: String

    @Flag(help: "Print it as JSON.")
    var json = false

    func run() throws {
        let report = InspectionReport(of: try readToken(from: file))
        if json {
            say(report.json.formatted())
        } else {
            for line in report.lines { say(line) }
        }
    }
}
