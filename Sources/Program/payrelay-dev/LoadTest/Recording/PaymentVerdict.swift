import OutboundHTTP
import PayrelayAPI
import PayrelayPrimitives

/// How a payment of a run ended: the content of the response, or why there is none.
enum PaymentVerdict: Sendable, Hashable {
    /// The relay responded with this outcome.
    case outcome(PaymentOutcome)
    /// The relay responded with a problem: the status and the problem's kind.
    case refused(status: Int, problem: String)
    /// The response is not about this payment.
    case unusable(reason: String)
    /// No byte of the request left this process.
    case notSent(reason: String)
    /// The request may have arrived, and its outcome is unknown.
    case noAnswer(reason: String)
    /// The request was not sent, because the limit of requests in flight was reached when it was due.
    case leftOut

    /// Whether the payment's money was authorized or captured. Nothing else is a success.
    var isSuccess: Bool { if case .outcome(let outcome) = self { outcome.isSuccess } else { false } }

    /// - Parameter reference: the payment's `merchant_reference`, which the response must have.
    init(_ outcome: Outcome<OutboundAnswer>, to reference: String) {
        switch outcome {
        case .notSent(let reason): self = .notSent(reason: Self.kind(reason))
        case .unknown(let reason): self = .noAnswer(reason: Self.kind(reason))
        case .answered(let answer): self.init(status: answer.status, body: answer.body, reference: reference)
        }
    }

    init(status: Int, body: [UInt8], reference: String) {
        do throws(DocumentError) {
            switch status {
            case 200, 202:
                let payment = try AnswerAboutAPayment(parsing: body)
                self =
                    payment.merchantReference == reference
                    ? .outcome(payment.outcome) : .unusable(reason: Self.otherPayment)
            default:
                self = .refused(status: status, problem: Self.problem(in: body))
            }
        } catch .noJSON {
            self = .unusable(reason: "status \(status) without JSON")
        } catch .missing(PaymentField.outcome) {
            self = .unusable(reason: "status \(status) without an outcome")
        } catch {
            self = .unusable(reason: Self.otherPayment)
        }
    }

    /// Returns the problem's kind. A response of a proxy has none.
    private static func problem(in body: [UInt8]) -> String {
        guard let type = (try? JSON(parsing: body))?["type"]?.stringValue else { return "without a problem type" }
        return type.after(ProblemDocument.typePrefix).map(String.init) ?? type
    }

    private static let otherPayment = "an answer about another payment"

    /// Returns libcurl's text of a failure up to the colon. The details after it (times, ports) differ each time.
    private static func kind(_ reason: String) -> String {
        String(reason.cut(at: ":").before)
    }
}

extension PaymentVerdict: CustomStringConvertible {
    var description: String {
        switch self {
        case .outcome(let outcome): outcome.rawValue
        case .refused(let status, let problem): "\(status) \(problem)"
        case .unusable(let reason): reason
        case .notSent(let reason): "not sent: \(reason)"
        case .noAnswer(let reason): "no answer: \(reason)"
        case .leftOut: "left out: too many under way"
        }
    }
}
