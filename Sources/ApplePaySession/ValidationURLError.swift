/// Why a `validation_url` is not one that a session may be asked for at.
public enum ValidationURLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not an `https` URL, or one with a user, a query, a fragment, an escape or a character outside ASCII.
    case malformed
    case otherHost(allowed: [String])
    /// Apple's sandbox, where the operator did not ask for it.
    case sandboxHost
    case otherPath

    /// As a field's fault: what it must be.
    public var description: String {
        switch self {
        case .malformed: "must be an https URL of a host and a path, without user, query, fragment or escapes"
        case .otherHost(let allowed): "must have one of these hosts: \(allowed.joined(separator: ", "))"
        case .sandboxHost: "has a host of Apple's sandbox, which is refused unless PAYRELAY_APPLE_PAY_SANDBOX is true"
        case .otherPath:
            "must have one of these paths: "
                + SessionEndpoint.Path.allCases.map(\.rawValue).joined(separator: ", ")
        }
    }
}
