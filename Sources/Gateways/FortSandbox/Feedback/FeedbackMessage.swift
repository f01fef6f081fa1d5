import FortAPI
import PayrelayPrimitives

/// One message of transaction feedback, before it is signed.
struct FeedbackMessage: Equatable {
    /// Which of the merchant's two URLs it goes to.
    enum Kind {
        /// A charge was processed, successfully or not.
        case direct
        /// An order has changed after its charge.
        case notification
    }

    let kind: Kind
    let parameters: JSONObject
    /// In seconds after the request that caused it.
    let delay: Double
}

extension SandboxOrder {
    /// The messages of a charge: its result, and once more its result when a hold is settled.
    func feedback(on parameters: JSONObject) -> [FeedbackMessage] {
        let first = FeedbackMessage(kind: .direct, parameters: response(to: parameters, outcome), delay: 0)
        guard outcome.isToldLater else { return [first] }
        return [
            first,
            FeedbackMessage(kind: .notification, parameters: response(to: parameters, .success), delay: Self.hold),
        ]
    }

    /// The messages of a capture, a void or a refund that is carried out.
    func feedback(on request: SandboxMaintenance, _ parameters: JSONObject) -> [FeedbackMessage] {
        [
            FeedbackMessage(
                kind: .notification, parameters: response(to: request, parameters, .success),
                delay: request.outcome.isToldLater ? Self.hold : 0)
        ]
    }
}

extension SandboxOutcome {
    /// Whether the message of its success is sent only after the hold.
    fileprivate var isToldLater: Bool { self == .onHold || self == .unconfirmed }
}
