public import AccessControl
public import ArgumentParser
public import PaymentRelay
public import PayrelayPrimitives

// What arguments of several commands are read as.

/// A duration on the command line: a number and `ms`, `s`, `m` or `h`.
struct TimeSpan: ExpressibleByArgument, ExpressibleByStringLiteral, CustomStringConvertible {
    let value: Duration
    let description: String

    init?(argument: String) {
        let start = argument.utf8.firstIndex { !$0.isASCIIDigit && $0 != UInt8(ascii: ".") } ?? argument.endIndex
        let unit = argument[start...]
        let scales = ["ms": 0.001, "s": 1, "m": 60, "h": 3_600]
        guard let number = Double(argument[..<start]), let scale = scales[String(unit)],
            number * scale <= 7 * 86_400
        else { return nil }
        value = .seconds(number * scale)
        description = argument
    }

    /// For defaults, which the tests of the command line read.
    init(stringLiteral text: String) {
        guard let span = TimeSpan(argument: text) else { preconditionFailure("\(text) is not a duration") }
        self = span
    }

    var defaultValueDescription: String { description }
}

/// A TCP port on the command line; 0 takes any that is free.
struct Port: ExpressibleByArgument, ExpressibleByIntegerLiteral, CustomStringConvertible {
    let number: Int

    init(integerLiteral number: Int) { self.number = number }

    init?(argument: String) {
        guard let number = Int(argument), (0...65_535).contains(number) else { return nil }
        self.number = number
    }

    var description: String { String(number) }
    var defaultValueDescription: String { description }
}

extension HexText: ExpressibleByArgument {
    /// 32 bytes: a SHA-256 is all that a command asks for in hex.
    public init?(argument: String) {
        guard let value = try? HexText(argument), value.bytes.count == 32 else { return nil }
        self = value
    }
}

extension OperatorRole: ExpressibleByArgument {}

extension Resolution: ExpressibleByArgument {}
