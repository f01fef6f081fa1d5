import FortAPI
import PayrelayPrimitives
public import SandboxParts

/// Fault between a merchant and FORT.
public enum SandboxFault: String, Sendable, CaseIterable {
    /// The request is dropped, and nothing comes back.
    case neverAnswer = "never_answer"
    /// The request is carried out, and nothing comes back.
    case chargeAndNeverAnswer = "charge_and_never_answer"
    /// The request is carried out, and the connection is reset in place of an answer (TCP's RST).
    case reset
    /// The request is carried out; half of the answer comes, then the connection closes.
    case truncate
    /// The request is carried out, and what comes back is not FORT's.
    case garbage
    /// The request is carried out; the answer is signed with a phrase that is not the account's.
    case wrongSignature = "wrong_signature"
    /// The request is carried out; the answer is signed, and another order's.
    case otherOrder = "other_order"
    /// The request is dropped, and answered with the status 500.
    case http500 = "http_500"
    /// The request is carried out, and the answer comes late.
    case slow
}

extension FortSandbox {
    /// Reaction of the sandbox to a request.
    public typealias Reply = SandboxReply

    /// Returns the reply to a request after a fault was applied to its answer.
    ///
    /// - Parameter rule: nil if no fault applies.
    func reply(_ answer: JSONObject, struckBy rule: FaultRule?) -> Reply {
        func sent(_ answer: JSONObject, spoilt: Bool = false) -> [UInt8] {
            JSON.object(signed(answer, spoilt: spoilt)).encoded()
        }
        guard let rule else { return .answer(sent(answer)) }
        if let fault = rule.fault.ofNetwork {
            return SandboxReply(sent(answer), struckBy: fault, seconds: rule.seconds)
        }
        switch rule.fault {
        case .wrongSignature: return .answer(sent(answer, spoilt: true))
        case .otherOrder: return .answer(sent(answer.ofAnotherOrder))
        default: return .answer(sent(answer))
        }
    }
}

extension JSONObject {
    /// The same, about another order (or, for an SDK token, another device) than the request's.
    fileprivate var ofAnotherOrder: JSONObject {
        var other = self
        for name in ["merchant_reference", "device_id"] where other[name] != nil { other[name] = "ANOTHER-ORDER" }
        if other["fort_id"] != nil { other["fort_id"] = "149295435400084007" }
        return other
    }
}
