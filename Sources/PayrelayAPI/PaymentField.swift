/// The members of the API's payment documents and requests, by name (`Payment` and `PaymentRequest` in openapi.yaml).
public enum PaymentField {
    public static let command = "command"
    public static let merchantReference = "merchant_reference"
    public static let outcome = "outcome"
    public static let amount = "amount"
    public static let currency = "currency"
    public static let language = "language"
    public static let customerEmail = "customer_email"
    public static let customerIP = "customer_ip"
    public static let customerName = "customer_name"
    public static let orderDescription = "order_description"
    public static let token = "token"
}
