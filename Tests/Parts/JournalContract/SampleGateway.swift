public import PaymentRelay
public import PayrelayPrimitives

/// The name and the fields of the gateway that charges tests' payments.
public enum SampleGateway {
    public static let name = "fort"

    public static let fields = AnswerFields(
        // `answer` belongs to the simulation: it tells which answer it was.
        ["response_code", "response_class", "fort_id", "response_message", "status", "answer"].map {
            AnswerField($0, for: .phone, isListed: !["answer", "status"].contains($0))
        } + [
            AnswerField("card_number", for: .phone, about: .card, isListed: true),
            AnswerField("card_holder_name", for: .client, about: .card),
            AnswerField("token_name", for: .client, about: .card),
            AnswerField("customer_email", about: .customer), AnswerField("customer_name", about: .customer),
        ], reference: "fort_id", cardNumber: "card_number", network: "payment_option", responseCode: "response_code",
        authorizationCode: "authorization_code", customerEmail: "customer_email",
        message: "response_message")
}

extension AnswerVocabulary {
    public static let sample = AnswerVocabulary([(SampleGateway.name, SampleGateway.fields)])
}

extension GatewayAnswer {
    /// - Parameter summary: Members at the top of a receipt, if they are not in the response.
    public init(
        meaning: Meaning, authorized: MinorUnits? = nil, captured: MinorUnits? = nil, totals: Balance? = nil,
        unreadableNumber: String? = nil, isStillDeciding: Bool = false, isNotAllowed: Bool = false,
        reference: String? = nil, summary: JSONObject, response: JSONObject
    ) {
        self.init(
            meaning: meaning, authorized: authorized, captured: captured, totals: totals,
            unreadableNumber: unreadableNumber, isStillDeciding: isStillDeciding, isNotAllowed: isNotAllowed,
            reference: reference, shown: summary, response: response,
            fields: SampleGateway.fields)
    }
}

extension Gateways {
    /// Makes the gateways of a test, with one gateway.
    public static func only(_ gateway: any Gateway, vocabulary: AnswerVocabulary = .sample) -> Gateways {
        // swift-format-ignore: NeverUseForceTry
        // Safe: the accounts of a test's gateway do not conflict.
        try! Gateways([gateway], vocabulary: vocabulary)
    }
}
