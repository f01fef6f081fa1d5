import ArgumentParser
import CommandLineParts
import Composition
import PayrelayPrimitives
import Settings

struct ConfigurationPrint: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print",
        abstract: "Print every setting with the value that is used, and where it comes from.",
        discussion: """
            A secret is shown as ***. The values are not checked: see `payrelay config check`.

            Exit status: 0, or 78 if the file cannot be read.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let report = try options.report()
        guard !json else { return say(report.json.formatted()) }
        let widths = [report.groups.flatMap(\.rows).map(\.setting.key.count).max() ?? 0]
        for (number, group) in report.groups.enumerated() {
            say((number == 0 ? "" : "\n") + group.title)
            for row in group.rows {
                let value = "\(row.shown.terminalText)  [\(row.source.description.terminalText)]"
                say(TextTable.line([row.setting.key, value], widths: widths, indentation: 2))
            }
        }
    }
}
