/// Why there is no ``FortAnswer``.
public enum FortFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// Not a byte of the request left. It is safe to try again.
    case notSent(reason: String)
    /// The request may have arrived, and no answer came. Nobody knows what became of it.
    case noAnswer(reason: String)
    /// The request arrived somewhere and something came back that proves nothing. Nobody knows what became of it.
    case unverified(FortAnswerError)

    public var description: String {
        switch self {
        case .notSent(let reason): "FORT could not be reached: \(reason)"
        case .noAnswer(let reason): "FORT did not answer: \(reason)"
        case .unverified(let error): "the answer cannot be verified: \(error)"
        }
    }
}
