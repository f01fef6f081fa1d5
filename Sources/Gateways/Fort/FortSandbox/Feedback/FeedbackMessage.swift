import FortAPI
import PayrelayPrimitives

/// A message of transaction feedback, before it is signed.
struct FeedbackMessage: Equatable {
    /// The one of the merchant's two URLs to which the message is sent.
    enum Kind {
        /// A charge was processed, with or without success.
        case direct
        /// An order changed after its charge.
        case notification
    }

    let kind: Kind
    let parameters: JSONObject
    /// The delay in seconds after the request that caused the message.
    let delay: Double
}

extension SandboxOrder {
    /// Returns the messages of a charge: its result and, if its success is reported later, its success after the
    /// hold.
    /// hold.
    func feedback(on parameters: JSONObject) -> [FeedbackMessage] {
        let first = FeedbackMessage(kind: .direct, parameters: response(to: parameters, outcome), delay: 0)
        guard outcome.isToldLater else { return [first] }
        return [
            first,
            FeedbackMessage(kind: .notification, parameters: response(to: parameters, .success), delay: Self.hold),
        ]
    }

    /// Returns the messages of a capture, a void or a refund that was carried out.
    func feedback(on request: SandboxMaintenance, _ parameters: JSONObject) -> [FeedbackMessage] {
        [
            FeedbackMessage(
                kind: .notification, parameters: response(to: request, parameters, .success),
                delay: request.outcome.isToldLater ? Self.hold : 0)
        ]
    }
}

extension SandboxOutcome {
    /// Whether the message about success is sent only after the hold.
    fileprivate var isToldLater: Bool { self == .onHold || self == .unconfirmed }
}
