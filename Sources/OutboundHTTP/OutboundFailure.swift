/// Why there is no answer, told apart by the one question that matters for money: can the request have arrived?
public enum OutboundFailure: Error, Sendable, Equatable {
    /// Not a byte of the body left this process: the request cannot have been carried out and may be sent again.
    /// Without a body: nothing was sent at all.
    case notSent(reason: String)
    /// The request may have arrived, in part or whole, and nobody here knows what became of it.
    case noAnswer(reason: String)

    /// What went wrong, in words for operators. Holds no body and no value of a header field.
    public var reason: String {
        switch self {
        case .notSent(let reason), .noAnswer(let reason): reason
        }
    }
}

extension OutboundFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notSent(let reason): "not sent: \(reason)"
        case .noAnswer(let reason): "no answer: \(reason)"
        }
    }
}
