/// A fault of the way to a gateway and back, which every gateway's sandbox has.
package enum NetworkFault: String, Sendable {
    /// The request is dropped, and nothing comes back.
    case neverAnswer = "never_answer"
    /// The request is carried out, and nothing comes back.
    case chargeAndNeverAnswer = "charge_and_never_answer"
    /// The request is carried out, and the connection is reset in place of an answer (TCP's RST).
    case reset
    /// The request is carried out; half of the answer comes, then the connection closes.
    case truncate
    /// The request is carried out, and what comes back is not the gateway's.
    case garbage
    /// The request is dropped, and answered with the status 500.
    case http500 = "http_500"
    /// The request is carried out, and the answer comes late.
    case slow
}

extension ScheduledFault {
    /// The fault, if it is one of the network's; nil if it is the gateway's own.
    package var ofNetwork: NetworkFault? { NetworkFault(rawValue: rawValue) }

    /// Whether the request reaches the gateway.
    package var isCarriedOut: Bool { replyToDropped == nil }

    /// The reply to a request that the fault drops; nil if the request is carried out.
    package var replyToDropped: SandboxReply? {
        switch ofNetwork {
        case .neverAnswer: .silence
        case .http500: .failure
        case .chargeAndNeverAnswer, .reset, .truncate, .garbage, .slow, nil: nil
        }
    }
}

extension SandboxReply {
    /// The reply to a request, after a fault of the network was applied to its answer.
    ///
    /// - Parameter seconds: how late a slow answer comes.
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
