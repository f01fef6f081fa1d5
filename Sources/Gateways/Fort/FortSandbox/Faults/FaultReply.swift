import FortAPI
import PayrelayPrimitives
public import SandboxParts

/// A fault between a merchant and FORT.
public enum SandboxFault: String, Sendable, CaseIterable {
    /// The request is dropped, and no answer is sent.
    case neverAnswer = "never_answer"
    /// The request is carried out, and no answer is sent.
    case chargeAndNeverAnswer = "charge_and_never_answer"
    /// The request is carried out, and the connection is reset instead of an answer (TCP's RST).
    case reset
    /// The request is carried out. Half of the answer is sent, then the connection closes.
    case truncate
    /// The request is carried out, and the answer is not FORT's.
    case garbage
    /// The request is carried out, and the answer is signed with a phrase that is not the account's.
    case wrongSignature = "wrong_signature"
    /// The request is carried out, and the answer is signed but about another order.
    case otherOrder = "other_order"
    /// The request is dropped, and the answer has the status 500.
    case http500 = "http_500"
    /// The request is carried out, and the answer is sent late.
    case slow
}

extension FortSandbox {
    /// The sandbox's reaction to a request.
    public typealias Reply = SandboxReply

    /// Returns the reply to a request, with a fault applied to the answer.
    ///
    /// - Parameter rule: the rule of the fault; `nil` if no fault applies.
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
    /// The answer, changed to be about another order or, for an SDK token, about another device.
    fileprivate var ofAnotherOrder: JSONObject {
        var other = self
        for name in ["merchant_reference", "device_id"] where other[name] != nil { other[name] = "ANOTHER-ORDER" }
        if other["fort_id"] != nil { other["fort_id"] = "149295435400084007" }
        return other
    }
}
