public import AccessControl
import PayrelayPrimitives
import Settings

/// The operators who may log in to the console.
public struct OperatorPolicy: Sendable {
    let operators: Operators
    /// Reads the setting again, with the current content of its file.
    let readAgain: @Sendable () throws(ConfigurationError) -> Operators

    /// Creates a policy without a file, for which reading again gives the same operators.
    public init(_ operators: Operators) {
        self.init(operators) { () throws(ConfigurationError) in operators }
    }

    init(_ operators: Operators, readAgain: @escaping @Sendable () throws(ConfigurationError) -> Operators) {
        self.operators = operators
        self.readAgain = readAgain
    }
}

extension SettingReader {
    /// Reads the operators; `nil` if none are configured.
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
            // An empty file is a mistake. If there are no operators, the setting must be left out.
            if operators.entries.isEmpty { fail(.operators, "has no operator") }
            return operators
        } catch {
            for line in error.lines { fail(.operators, "cannot be used: \(line)") }
            return Operators()
        }
    }
}
