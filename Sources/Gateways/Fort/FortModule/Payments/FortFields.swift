import FortAPI
public import PaymentRelay

/// The fields of FORT's orders and answers, as the relay uses them.
extension FortGateway {
    /// The fields of an order. A phone with an order token may not choose `customer_ip`: FORT's fraud check gets the
    /// address of the peer, or the address in the order token.
    public static let orderFields: [OrderField] = {
        let own: Set = ["customer_email", "customer_name", "phone_number", "language", "device_fingerprint"]
        return FortField.ofOrder.map { OrderField($0.name, isCustomersOwn: own.contains($0.name)) }
    }()

    public static let answerFields = AnswerFields(
        [
            AnswerField("fort_id", for: .phone, isListed: true, title: "FORT's number"),
            AnswerField("payment_option", for: .phone, isListed: true, title: "Paid with"),
            AnswerField("card_number", for: .phone, about: .card, isListed: true, title: "Card"),
            AnswerField("card_holder_name", for: .client, about: .card, title: "Name on the card"),
            AnswerField("authorization_code", for: .phone, isListed: true, title: "Authorization code"),
            AnswerField("response_code", for: .phone, isListed: true),
            // The relay derives this field from `response_code`, so that clients do not need a table of FORT's
            // codes.
            AnswerField("response_class", for: .phone, isListed: true),
            AnswerField("response_message", for: .phone, isListed: true),
            AnswerField("status", for: .phone),
            AnswerField("eci", for: .phone),
            AnswerField("expiry_date", for: .client, about: .card),
            AnswerField("token_name", for: .client, about: .card),
            AnswerField("agreement_id", for: .client, about: .card),
            AnswerField("customer_name", about: .customer, title: "Customer"),
            AnswerField("customer_email", about: .customer, title: "Email"),
            AnswerField("phone_number", about: .customer, title: "Phone"),
            AnswerField("customer_ip", about: .customer),
            AnswerField("device_fingerprint", about: .customer),
        ]
            + [
                "acquirer_response_code", "acquirer_response_message", "authorized_amount", "digital_wallet",
                "language",
                "processor_response_code", "query_command", "reconciliation_reference", "recurring_mode",
                "service_command", "transaction_code", "transaction_message", "transaction_status",
            ].map { AnswerField($0) },
        reference: "fort_id", cardNumber: "card_number", network: "payment_option", responseCode: "response_code",
        authorizationCode: "authorization_code", customerEmail: "customer_email", customerName: "customer_name",
        phoneNumber: "phone_number", message: "response_message",
        credentials: ["access_code", "sdk_token", "signature", "token_name"])
}
