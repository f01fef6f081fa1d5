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

    /// Reads FORT's answer to CHECK_STATUS. It has two layers: `status` and `response_code` are the query's,
    /// `transaction_*` the payment's. The summary tells the payment's, under the names that a charge has.
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
        // One total without the other tells half of what happened to the money; that nothing was refunded may go unsaid.
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

    /// The answer to a query by FORT's number of a charge that is signed and names another number.
    static let aboutAnotherCharge = GatewayAnswer(
        meaning: .pending(reason: "FORT answered about another charge than was asked for"), response: [:],
        fields: FortGateway.answerFields)

    /// Returns the parameters that are stored and shown to clients: all but the merchant's credentials. With
    /// `signature` a client could make FORT's signed text say something else, and `sdk_token` pays.
    private static func kept(of parameters: JSONObject) -> JSONObject {
        parameters.filter { !credentials.contains($0.name) }
    }

    private static let credentials = ["access_code", "merchant_identifier", "sdk_token", "signature"]

    /// The parameters with our class of the code. What FORT writes as a number is a text here: clients, lists and searches have texts.
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

    /// What became of the charge, where the last operation on it failed: `transaction_status` is the last operation's, says APS's page of
    /// CHECK_STATUS, and the totals are the order's.
    ///
    /// - Returns: nil where the operation may have been done after all, and where nothing is captured and it may have followed a void.
    private static func standing(after answer: FortAnswer, captured: MinorUnits?, refunded: MinorUnits?) -> Self? {
        guard let code = answer["transaction_code"].flatMap({ FortCode($0) }),
            code.status == answer["transaction_status"], FortStatus(code.status) == .operationFailed,
            code.class.provesNoMoneyMoved || code.class == .duplicate, let captured, let refunded
        else { return nil }
        if captured > .zero { return refunded > .zero ? .refunded : .captured }
        return [.notAllowed, .duplicate].contains(code.class) ? nil : .authorized
    }
}

/// Reads the amounts in a message of FORT, and keeps the name of the first that is unreadable. FORT writes them as texts of digits, in minor units.
struct FortAmounts {
    private let parameters: JSONObject
    /// The name of the first parameter that should hold an amount and holds something else.
    private(set) var unreadable: String?

    init(_ parameters: JSONObject) {
        self.parameters = parameters
    }

    /// Nil where it is absent, empty, or no amount.
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
