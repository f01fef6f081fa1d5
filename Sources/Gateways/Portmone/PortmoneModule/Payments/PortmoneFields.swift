public import PaymentRelay
import PortmoneAPI

/// The fields of Portmone's orders and answers, as the relay uses them.
extension PortmoneGateway {
    public static let orderFields: [OrderField] = {
        let own: Set = ["customer_email", "customer_name", "phone_number", "language"]
        return (PortmoneOrderFields.sent + PortmoneOrderFields.kept.keys.sorted()).map {
            OrderField($0, isCustomersOwn: own.contains($0))
        }
    }()

    /// The fields of an answer. The fields under `processor_response` keep Portmone's spelling, which differs
    /// between methods.
    public static let answerFields = AnswerFields(
        [
            AnswerField("shop_bill_id", for: .phone, isListed: true, title: "Portmone's number"),
            AnswerField("payment_option", for: .phone, isListed: true, title: "Paid with"),
            AnswerField("card_number", for: .phone, about: .card, isListed: true, title: "Card"),
            AnswerField("authorization_code", for: .phone, isListed: true, title: "Authorization code"),
            // Portmone's `errorCode`, under the name that lists and searches use.
            AnswerField("response_code", for: .client, isListed: true),
            AnswerField("response_message", for: .phone, isListed: true),
            AnswerField("status", for: .phone, title: "Status"),
        ]
            + [
                "authCode", "auth_code", "billAmount", "bill_amount", "billCurrency", "billNumber", "bill_date",
                "cardTypeName", "commission", "errorCode", "error_code", "error", "errorMessage", "error_message",
                "gateType",
                "isNeed3DS", "pay_date", "pay_order_date", "payee_commission", "payee_id", "payee_name", "rrn",
                "shopBillId",
                "shopOrderNumber", "shop_order_number", "shopbillId", "terminal_id", "transactionId",
            ].map { AnswerField($0) },
        reference: "shop_bill_id", cardNumber: "card_number", network: "payment_option", responseCode: "response_code",
        authorizationCode: "authorization_code", message: "response_message")
}
