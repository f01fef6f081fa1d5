public import AccessControl
import PayrelayPrimitives
import Settings

/// The operators who may log in to the console.
public struct OperatorPolicy: Sendable {
    let operators: Operators
    /// Reads the same setting again, with its file's current content.
    let readAgain: @Sendable () throws(ConfigurationError) -> Operators

    /// Operators that come from no file: reading them again gives the same.
    public init(_ operators: Operators) {
        self.init(operators) { () throws(ConfigurationError) in operators }
    }

    init(_ operators: Operators, readAgain: @escaping @Sendable () throws(ConfigurationError) -> Operators) {
        self.operators = operators
        self.readAgain = readAgain
    }
}

extension SettingReader {
    /// Nil where no operators are configured.
    mutating func operators() -> OperatorPolicy? {
        guard isSet(.operators) else { return nil }
        return OperatorPolicy(readOperators()) { [sources] () throws(ConfigurationError) in
            var settings = SettingReader(sources)
            let operators = settings.readOperators()
            guard settings.errors.isEmpty else { throw ConfigurationError(errors: settings.errors) }
            return operators
        }
    }

    private mutating func readOperators() -> Operators {
        do throws(KeyLinesError<OperatorRole>) {
            guard let text = readable(.operators) else { return Operators() }
            let operators = try Operators(parsing: text.exposed)
            // An empty file is a mistake: without operators the setting is left out.
            if operators.entries.isEmpty { fail(.operators, "has no operator") }
            return operators
        } catch {
            for line in error.lines { fail(.operators, "cannot be used: \(line)") }
            return Operators()
        }
    }
}
