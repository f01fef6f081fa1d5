import FortAPI
import PaymentRelay
import PayrelayPrimitives

extension GatewayAnswer {
    /// Reads FORT's answer to a command that moves money: AUTHORIZATION, PURCHASE, CAPTURE, VOID_AUTHORIZATION, REFUND.
    init(_ answer: FortAnswer) {
        self.init(
            meaning: Meaning(of: answer.class, to: answer.command, code: answer.responseCode),
            isNotAllowed: answer.class == .notAllowed, reference: answer.fortID,
            shown: Self.shown(answer.parameters, answer.class),
            response: Self.kept(of: answer.parameters), fields: FortGateway.answerFields)
    }

    /// Reads FORT's answer to CHECK_STATUS. The answer has two layers: `status` and `response_code` are about the
    /// query, and `transaction_*` about the payment. The summary shows the payment's layer, under the names that
    /// an answer to a charge uses.
    init(toStatus answer: FortAnswer) {
        let parameters = answer.parameters
        var shown = parameters
        for name in ["code", "status", "message"] {
            if let text = answer["transaction_\(name)"] {
                shown[name == "status" ? name : "response_\(name)"] = .string(text)
            }
        }
        let ofPayment = answer["transaction_code"].map { FortCode($0)?.class ?? .uncertain }
        var numbers = FortAmounts(parameters)
        let (authorized, captured, refunded) = (
            numbers.amount("authorized_amount"), numbers.amount("captured_amount"), numbers.amount("refunded_amount")
        )
        let meaning = Meaning(toStatus: answer, captured: captured, refunded: refunded)
        // `captured_amount` and `refunded_amount` must come together: one without the other does not say how much
        // money is left. A missing `refunded_amount` is accepted unless the order was refunded, and a missing
        // `captured_amount` unless the other amount is above zero.
        let missing: String? =
            switch (captured, refunded) {
            case (nil, .some(.zero)), (nil, nil): nil
            case (nil, _): "captured_amount"
            case (_, nil): meaning == .refunded ? "refunded_amount" : nil
            default: nil
            }
        self.init(
            meaning: meaning, authorized: authorized, captured: captured,
            totals: captured.flatMap { captured in
                refunded.map { Balance(captured: captured, refunded: $0) }
            }, unreadableNumber: numbers.unreadable ?? missing, isStillDeciding: answer.isTransactionUndecided,
            reference: answer.fortID,
            shown: Self.shown(shown, ofPayment ?? answer.class), response: Self.kept(of: parameters),
            fields: FortGateway.answerFields)
    }

    /// The meaning of a signed answer that names another number than the charge that was queried by its number.
    static let aboutAnotherCharge = GatewayAnswer(
        meaning: .pending(reason: "FORT answered about a charge that was not queried"), response: [:],
        fields: FortGateway.answerFields)

    /// Returns the parameters that are stored and shown to clients: all except the merchant's credentials. With
    /// `signature` a client could split FORT's signed text into another message, and anyone can pay with an
    /// `sdk_token`.
    private static func kept(of parameters: JSONObject) -> JSONObject {
        parameters.filter { !credentials.contains($0.name) }
    }

    private static let credentials = ["access_code", "merchant_identifier", "sdk_token", "signature"]

    /// Returns the parameters to show, with the relay's class of the code. FORT's numbers become texts, because
    /// clients, lists and searches expect texts.
    private static func shown(_ parameters: JSONObject, _ class: FortCode.Class) -> JSONObject {
        var shown = parameters
        for member in parameters.members {
            if case .number(let literal) = member.value { shown[member.name] = .string(literal) }
        }
        shown["response_class"] = .string(`class`.rawValue)
        return shown
    }
}

extension GatewayAnswer.Meaning {
    fileprivate init(of class: FortCode.Class, to command: FortCommand?, code: FortCode) {
        self =
            switch (`class`, command) {
            case (.success, .authorization): .authorized
            case (.success, .purchase), (.success, .capture): .captured
            case (.success, .voidAuthorization): .voided
            case (.success, .refund): .refunded
            case (.declined, _), (.signature, _), (.configuration, _), (.request, _), (.token, _), (.notAllowed, _):
                .declined
            case (.duplicate, _): .duplicate
            case (.success, _), (.uncertain, _), (.notFound, _):
                .pending(reason: "FORT answered \(code), which settles nothing")
            }
    }

    fileprivate init(toStatus answer: FortAnswer, captured: MinorUnits?, refunded: MinorUnits?) {
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
            case .authorized: .authorized
            case .captured: .captured
            case .voided: .voided
            case .refunded: .refunded
            case .failed: .declined
            case .unsettled:
                Self.standing(after: answer, captured: captured, refunded: refunded)
                    ?? .pending(reason: "FORT has the order, undecided")
            }
    }

    /// Returns what became of the charge if the last operation on it failed. According to APS's page about
    /// CHECK_STATUS, `transaction_status` belongs to the last operation. The totals belong to the order.
    ///
    /// - Returns: `nil` if the operation may have been done after all, or if nothing is captured and the failed
    ///   operation may have followed a void.
    private static func standing(after answer: FortAnswer, captured: MinorUnits?, refunded: MinorUnits?) -> Self? {
        guard let code = answer["transaction_code"].flatMap({ FortCode($0) }),
            code.status == answer["transaction_status"], FortStatus(code.status) == .operationFailed,
            code.class.provesNoMoneyMoved || code.class == .duplicate, let captured, let refunded
        else { return nil }
        if captured > .zero { return refunded > .zero ? .refunded : .captured }
        return [.notAllowed, .duplicate].contains(code.class) ? nil : .authorized
    }
}

/// Reads the amounts in a message of FORT. FORT writes amounts as texts of digits, in minor units.
struct FortAmounts {
    private let parameters: JSONObject
    /// The name of the first parameter whose value should be an amount and is not; `nil` if there is none.
    private(set) var unreadable: String?

    init(_ parameters: JSONObject) {
        self.parameters = parameters
    }

    /// Returns the amount; `nil` if it is absent, empty or invalid.
    mutating func amount(_ name: String) -> MinorUnits? {
        let text: String
        switch parameters[name] {
        case nil, .null, "": return nil
        case .string(let digits), .number(let digits): text = digits
        case .bool, .array, .object: text = ""
        }
        if let amount = MinorUnits(parsing: text) { return amount }
        unreadable = unreadable ?? name
        return nil
    }
}
