import ArgumentParser

/// A length of time on the command line: a number and `ms`, `s`, `m` or `h`.
struct TimeSpan: ExpressibleByArgument, ExpressibleByStringLiteral, CustomStringConvertible {
    let value: Duration
    let description: String

    init?(argument: String) {
        let unit = argument.drop { $0.isNumber || $0 == "." }
        let scales = ["ms": 0.001, "s": 1, "m": 60, "h": 3_600]
        guard let number = Double(argument.dropLast(unit.count)), let scale = scales[String(unit)],
            number * scale <= 7 * 86_400
        else { return nil }
        value = .seconds(number * scale)
        description = argument
    }

    /// For defaults, which the tests of the command line read.
    init(stringLiteral text: String) {
        guard let span = TimeSpan(argument: text) else { preconditionFailure("\(text) is no length of time") }
        self = span
    }

    var defaultValueDescription: String { description }
}
