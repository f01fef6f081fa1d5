/// What can go wrong between a merchant and FORT.
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

    var isCarriedOut: Bool {
        switch self {
        case .neverAnswer, .http500: false
        case .chargeAndNeverAnswer, .reset, .truncate, .garbage, .wrongSignature, .otherOrder, .slow: true
        }
    }
}
