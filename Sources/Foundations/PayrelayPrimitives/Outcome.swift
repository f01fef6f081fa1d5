/// The outcome of a request to another service. The cases differ in what matters for money: whether the request
/// can have arrived.
///
/// The same type is used from the socket to the response.
public enum Outcome<Answer> {
    /// The request was answered.
    case answered(Answer)
    /// Nothing of the request left this process. It cannot have been carried out, and may be repeated.
    case notSent(reason: String)
    /// All or part of the request may have arrived, and its result is not known.
    case unknown(reason: String)

    /// Returns the same outcome with a transformed answer.
    @inlinable public func map<Other>(_ transform: (Answer) -> Other) -> Outcome<Other> {
        switch self {
        case .answered(let answer): .answered(transform(answer))
        case .notSent(let reason): .notSent(reason: reason)
        case .unknown(let reason): .unknown(reason: reason)
        }
    }

    /// Returns the answer. For requests that move no money.
    ///
    /// - Throws: ``NoAnswer`` if there is no answer.
    public func get() throws(NoAnswer) -> Answer {
        switch self {
        case .answered(let answer): return answer
        case .notSent(let reason): throw NoAnswer("not sent: \(reason)", reason: reason)
        case .unknown(let reason): throw NoAnswer("no answer: \(reason)", reason: reason)
        }
    }
}

extension Outcome: Sendable where Answer: Sendable {}
extension Outcome: Equatable where Answer: Equatable {}
extension Outcome: Hashable where Answer: Hashable {}

/// The error if a request has no answer and it does not matter whether the request can have arrived.
public struct NoAnswer: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String
    /// The cause, in words for operators. It contains neither a body nor the value of a header field.
    public let reason: String

    fileprivate init(_ description: String, reason: String) {
        self.description = description
        self.reason = reason
    }
}
