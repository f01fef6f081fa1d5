import ArgumentParser

/// A TCP port on the command line; 0 selects any free port.
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
