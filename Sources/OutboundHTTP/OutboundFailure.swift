/// Why there is no answer. The cases differ in what matters for money: whether the request can have arrived.
public enum OutboundFailure: Error, Sendable, Hashable {
    /// Not a byte of the body left this process: the request cannot have been carried out and may be sent again.
    /// Without a body: nothing was sent at all.
    case notSent(reason: String)
    /// The request may have arrived, in part or whole, and its outcome is unknown.
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
