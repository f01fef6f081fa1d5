import Primitives
public import OutboundHTTP

/// What the answer to a payment says, or why there is none.
public enum PaymentVerdict: Sendable, Hashable {
    /// The relay told this outcome, for example `captured`, `declined` or `uncertain`.
    case outcome(String)
    /// The relay refused: the status, and the problem's slug.
    case refused(status: Int, problem: String)
    /// What came is no answer to this payment.
    case unusable(reason: String)
    /// Not a byte of it left.
    case notSent(reason: String)
    /// It may have arrived, and nobody here knows what became of it.
    case noAnswer(reason: String)
    /// As many as may be were under way when it was due.
    case leftOut

    /// Only a payment whose money is held or taken is a success.
    public var isSuccess: Bool { self == .outcome("captured") || self == .outcome("authorized") }

    /// - Parameter reference: the payment's `merchant_reference`, which the answer must carry.
    public init(_ result: Result<OutboundAnswer, OutboundFailure>, to reference: String) {
        switch result {
        case .failure(.notSent(let reason)): self = .notSent(reason: Self.kind(reason))
        case .failure(.noAnswer(let reason)): self = .noAnswer(reason: Self.kind(reason))
        case .success(let answer): self.init(status: answer.status, body: answer.body, reference: reference)
        }
    }

    init(status: Int, body: [UInt8], reference: String) {
        guard let json = try? JSON(parsing: body) else {
            self = .unusable(reason: "status \(status) without JSON")
            return
        }
        switch status {
        case 200, 202:
            guard json["merchant_reference"] == .string(reference) else {
                self = .unusable(reason: "an answer about another payment")
                return
            }
            guard let outcome = json["outcome"]?.stringValue else {
                self = .unusable(reason: "status \(status) without an outcome")
                return
            }
            self = .outcome(outcome)
        default:
            let type = json["type"]?.stringValue?.split(separator: ":").last.map(String.init)
            self = .refused(status: status, problem: type ?? "without a problem type")
        }
    }

    /// What libcurl calls the failure; the details after the colon (times, ports) differ each time.
    private static func kind(_ reason: String) -> String {
        String(reason.prefix { $0 != ":" })
    }
}

extension PaymentVerdict: CustomStringConvertible {
    public var description: String {
        switch self {
        case .outcome(let outcome): outcome
        case .refused(let status, let problem): "\(status) \(problem)"
        case .unusable(let reason): reason
        case .notSent(let reason): "not sent: \(reason)"
        case .noAnswer(let reason): "no answer: \(reason)"
        case .leftOut: "left out: too many under way"
        }
    }
}
