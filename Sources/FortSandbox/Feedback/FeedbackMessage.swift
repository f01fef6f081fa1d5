import FortAPI
import Primitives

/// What FORT tells by itself, before it is signed.
struct FeedbackMessage: Equatable {
    /// Which of the merchant's two URLs it goes to.
    enum Kind {
        /// A charge was processed, whatever became of it.
        case direct
        /// What became of an order has changed since.
        case notification
    }

    let kind: Kind
    let parameters: JSONObject
    /// How many seconds after the request that it is about.
    let delay: Double
}

extension SandboxOrder {
    /// What FORT tells of the charge: how it went, and once more when what was open is settled.
    func feedback(on parameters: JSONObject) -> [FeedbackMessage] {
        let first = FeedbackMessage(kind: .direct, parameters: response(to: parameters, outcome), delay: 0)
        guard outcome.isToldLater else { return [first] }
        return [
            first,
            FeedbackMessage(kind: .notification, parameters: response(to: parameters, .success), delay: Self.hold),
        ]
    }

    /// What FORT tells of a capture, a void or a refund that is carried out.
    func feedback(on request: SandboxMaintenance, _ parameters: JSONObject) -> [FeedbackMessage] {
        [
            FeedbackMessage(
                kind: .notification, parameters: response(to: request, parameters, .success),
                delay: request.outcome.isToldLater ? Self.hold : 0)
        ]
    }
}

extension SandboxOutcome {
    /// Whether success is told only when the hold is over.
    fileprivate var isToldLater: Bool { self == .onHold || self == .unconfirmed }
}
