/// A fault on the way to a gateway or back, which every gateway's sandbox can simulate.
package enum NetworkFault: String, Sendable {
    /// The request is dropped, and no answer is sent.
    case neverAnswer = "never_answer"
    /// The request is carried out, and no answer is sent.
    case chargeAndNeverAnswer = "charge_and_never_answer"
    /// The request is carried out, and the connection is reset instead of an answer (TCP's RST).
    case reset
    /// The request is carried out. Half of the answer is sent, then the connection closes.
    case truncate
    /// The request is carried out, and the answer is not the gateway's.
    case garbage
    /// The request is dropped, and the answer has the status 500.
    case http500 = "http_500"
    /// The request is carried out, and the answer is sent late.
    case slow
}

extension ScheduledFault {
    /// The fault as a network fault; `nil` if only this gateway has it.
    package var ofNetwork: NetworkFault? { NetworkFault(rawValue: rawValue) }

    /// Whether the request reaches the gateway.
    package var isCarriedOut: Bool { replyToDropped == nil }

    /// The reply to a request that the fault drops; `nil` if the request is carried out.
    package var replyToDropped: SandboxReply? {
        switch ofNetwork {
        case .neverAnswer: .silence
        case .http500: .failure
        case .chargeAndNeverAnswer, .reset, .truncate, .garbage, .slow, nil: nil
        }
    }
}

extension SandboxReply {
    /// Creates the reply to a request, with a network fault applied to the answer.
    ///
    /// - Parameter seconds: the delay of a slow answer.
    package init(_ answer: [UInt8], struckBy fault: NetworkFault, seconds: Double) {
        self =
            switch fault {
            case .neverAnswer, .chargeAndNeverAnswer: .silence
            case .reset: .reset
            case .truncate: .half(answer)
            case .garbage: .answer(Array("<html><body>Service temporarily unavailable</body></html>".utf8))
            case .http500: .failure
            case .slow: .late(answer, seconds: seconds)
            }
    }
}
