public import PayrelayPrimitives

/// One request to FORT, checked, before an account signs it.
public protocol FortRequest: Sendable, Redacted {
    var command: FortCommand { get }
    /// The request's own parameters, by FORT's names: without the account's and without the signature.
    var parameters: JSONObject { get }
}

extension FortRequest {
    /// The command and these values, trimmed, without the optional ones that are missing. Those that the Apple Pay page
    /// lists have its limits here too.
    ///
    /// - Throws: ``ValidationErrors`` with every value that FORT would refuse.
    static func parameters(
        of command: FortCommand, _ values: [String: String?]
    ) throws(ValidationErrors) -> JSONObject {
        let fields = (FortField.all + FortField.ofOperations).filter { values.keys.contains($0.name) }
        var parameters: JSONObject = [command.parameterName: .string(command.rawValue)]
        var errors: [ValidationError] = []
        for field in fields {
            // Twice optional: whether the field belongs to the request, and whether it has a value.
            let value = values[field.name] ?? nil
            errors += field.errors(in: value).map { ValidationError(field: field.name, detail: $0) }
            if let value, !value.trimmedOfWhiteSpace.isEmpty {
                parameters[field.name] = .string(value.trimmedOfWhiteSpace)
            }
        }
        try ValidationErrors.throwIfAny(errors)
        return parameters
    }
}
