/// Why there is no session.
public enum SessionFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Apple was not reached, or did not answer.
    case noAnswer(reason: String)
    /// Apple answered with another HTTP status than 200, and perhaps said why.
    case refused(status: Int, message: String?)
    /// The answer is no JSON object.
    case notASession

    public var description: String {
        switch self {
        case .noAnswer(let reason): "Apple's session host gave no answer: \(reason)"
        case .refused(let status, let message):
            "Apple's session host answered \(status)" + (message.map { ": \($0.prefix(300))" } ?? "")
        case .notASession: "Apple's session host answered something that is no JSON object"
        }
    }
}
