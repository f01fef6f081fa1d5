import FortAPI
import OrderedJSON
import PaymentRelay

extension ProcessorAnswer {
    /// What FORT's answer to AUTHORIZATION or PURCHASE means.
    init(toCharge answer: FortAnswer) {
        self.init(
            meaning: Meaning(toCharge: answer),
            summary: answer.parameters.only(["response_code", "status", "response_message"] + Self.shown),
            response: answer.parameters)
    }

    /// What FORT's answer to CHECK_STATUS means for the payment. It has two layers: `status` and `response_code` are the
    /// query's, `transaction_*` the payment's. The summary tells the payment's, under the names that a charge has.
    init(toStatusOf payment: Payment, _ answer: FortAnswer) {
        let parameters = answer.parameters
        var summary = JSONObject()
        summary["response_code"] = parameters["transaction_code"] ?? parameters["response_code"]
        summary["status"] = parameters["transaction_status"] ?? parameters["status"]
        summary["response_message"] = parameters["transaction_message"] ?? parameters["response_message"]
        for member in parameters.only(Self.shown).members { summary[member.name] = member.value }
        self.init(meaning: Meaning(toStatusOf: payment, answer), summary: summary, response: parameters)
    }

    /// What a caller looks at first, besides the code.
    private static let shown = ["fort_id", "payment_option", "authorization_code", "card_number", "eci"]
}

extension ProcessorAnswer.Meaning {
    fileprivate init(toCharge answer: FortAnswer) {
        self =
            switch answer.class {
            case .success: answer.command == .authorization ? .authorized : .captured
            case .declined, .signature, .configuration, .request, .token, .notAllowed: .declined
            case .duplicate: .duplicate
            case .uncertain, .notFound: .pending(reason: "FORT answered \(answer.responseCode), which settles nothing")
            }
    }

    fileprivate init(toStatusOf payment: Payment, _ answer: FortAnswer) {
        if answer.class == .notFound {
            self = .notFound
            return
        }
        guard let state = answer.transactionState else {
            self = .pending(reason: "FORT answered CHECK_STATUS with \(answer.responseCode) and no transaction_status")
            return
        }
        self =
            switch state {
            case .authorized: answer.has(payment.amount, as: "authorized_amount") ? .authorized : Self.otherAmount
            case .captured: answer.has(payment.amount, as: "captured_amount") ? .captured : Self.otherAmount
            case .voided: .voided
            case .refunded: .refunded
            case .failed: .declined
            case .unsettled: .pending(reason: "FORT has the order, undecided")
            }
    }

    /// The reference is the order's, the sum is not: somebody else used it, and this order's fate is not told.
    private static let otherAmount = Self.pending(reason: "FORT has an order of this reference with another amount")
}

extension FortAnswer {
    /// Whether an amount, where the answer has it, is the one expected.
    fileprivate func has(_ amount: Int, as name: String) -> Bool {
        self[name].map { $0 == String(amount) } ?? true
    }
}

extension JSONObject {
    /// The members of these names, in this order.
    fileprivate func only(_ names: [String]) -> JSONObject {
        JSONObject(names.compactMap { name in self[name].map { (name, $0) } })
    }
}
