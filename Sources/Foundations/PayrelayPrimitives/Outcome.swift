/// How a request to another service ended. The cases differ in what matters for money: whether the request can have arrived.
///
/// It has this one name from the socket to the response.
public enum Outcome<Answer> {
    /// There is an answer.
    case answered(Answer)
    /// Nothing of the request left this process: it cannot have been carried out and may be made again.
    case notSent(reason: String)
    /// The request may have arrived, in part or whole, and its outcome is not known.
    case unknown(reason: String)

    /// The same outcome with what is made of the answer.
    @inlinable public func map<Other>(_ transform: (Answer) -> Other) -> Outcome<Other> {
        switch self {
        case .answered(let answer): .answered(transform(answer))
        case .notSent(let reason): .notSent(reason: reason)
        case .unknown(let reason): .unknown(reason: reason)
        }
    }

    /// The answer, for a request that moves no money.
    ///
    /// - Throws: ``NoAnswer`` where there is none.
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

/// The error of a request without an answer, where it does not matter whether the request can have arrived.
public struct NoAnswer: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String
    /// The cause, in words for operators. Holds no body and no value of a header field.
    public let reason: String

    fileprivate init(_ description: String, reason: String) {
        self.description = description
        self.reason = reason
    }
}
