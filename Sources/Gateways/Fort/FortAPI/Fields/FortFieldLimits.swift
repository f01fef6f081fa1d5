extension FortField {
    /// Every parameter that an Apple Pay request may have.
    public static let all = ofApplePayPage + ofOtherPages

    /// Every request parameter of the page "Apple Pay API", in the order of the page.
    static let ofApplePayPage: [FortField] = [
        FortField("digital_wallet", .message, mandatory: true, max: 100, .values(["APPLE_PAY"])),
        FortField("command", .order, mandatory: true, max: 20, .values(["AUTHORIZATION", "PURCHASE"])),
        FortField("access_code", .account, mandatory: true, max: 20, .characters(alphanumeric)),
        FortField("merchant_identifier", .account, mandatory: true, max: 20, .characters(alphanumeric)),
        FortField("merchant_reference", .order, mandatory: true, max: 40, .characters(ascii("-_."))),
        FortField("amount", .order, mandatory: true, max: 10, .amount),
        FortField("currency", .order, mandatory: true, max: 3, .currency),
        FortField("language", .order, mandatory: true, max: 2, .values(["en", "ar"])),
        FortField("customer_email", .order, mandatory: true, max: 254, .emailAddress),
        FortField("apple_data", .token, mandatory: true, max: 500, .text),
        FortField("apple_signature", .token, mandatory: true, max: 3000, .text),
        FortField("apple_header", .token, mandatory: true, max: nil, .object),
        FortField("apple_transactionId", .token, mandatory: true, max: 100, .text),
        FortField("apple_ephemeralPublicKey", .token, mandatory: true, max: 200, .text),
        FortField("apple_publicKeyHash", .token, mandatory: true, max: 100, .text),
        FortField("apple_paymentMethod", .token, mandatory: true, max: nil, .object),
        FortField("apple_displayName", .token, mandatory: true, max: 50, .text),
        FortField(
            "apple_network", .token, mandatory: true, max: 20,
            .values(["Visa", "MasterCard", "AmEx", "Mada", "Discover", "JCB"])),
        FortField("apple_type", .token, mandatory: true, max: 20, .values(["credit", "debit", "prepaid", "store"])),
        FortField("customer_ip", .order, mandatory: true, max: 45, .ipAddress),
        FortField("signature", .message, mandatory: true, max: 200, .characters(alphanumeric)),
        FortField("apple_applicationData", .token, mandatory: false, max: 200, .text),
        FortField("eci", .order, mandatory: false, max: 16, .values(["ECOMMERCE"])),
        FortField("order_description", .order, mandatory: false, max: 150, .characters(international("'/._-#:$, "))),
        FortField("statement_descriptor", .order, mandatory: false, max: 50, .characters(ascii("._-/' "))),
        FortField("customer_name", .order, mandatory: false, max: 40, .characters(international("_\\/-.':, "))),
        FortField("phone_number", .order, mandatory: false, max: 19, .characters(digits("+-() "))),
        FortField("recurring_mode", .order, mandatory: false, max: 20, .values(["UNSCHEDULED"])),
        FortField("merchant_extra", .order, mandatory: false, max: 999, .characters(extra)),
        FortField("merchant_extra1", .order, mandatory: false, max: 250, .characters(extra)),
        FortField("merchant_extra2", .order, mandatory: false, max: 250, .characters(extra)),
        FortField("merchant_extra3", .order, mandatory: false, max: 250, .characters(extra)),
        FortField("merchant_extra4", .order, mandatory: false, max: 250, .characters(extra)),
        FortField("merchant_extra5", .order, mandatory: false, max: 250, .characters(extra)),
    ]

    /// The fields that other tables of APS add:
    /// - `device_fingerprint`, from the table "ACI ReD Fraud - Request" in APS's integration guide. A script or
    ///   the fraud SDK on the device creates the value. The table allows `=` anywhere. Here `=` may only end the
    ///   value, as in base64, because elsewhere it could be read as another parameter in FORT's signed text.
    /// - `settlement_reference`, from the table of the Apple Pay SDK, which gives it 22 characters. APS's .NET
    ///   SDK sends it with a server's Apple Pay request. The SDK's guide and the page about recurring payments
    ///   give it 34, and the longer limit is used here.
    /// - `payment_option` and `token_name`, from the table of the Apple Pay SDK, too. `payment_option` restricts
    ///   the card: it is compared with the card and not sent. `token_name` is sent.
    static let ofOtherPages: [FortField] = [
        FortField(
            "device_fingerprint", .order, mandatory: false, max: 4000,
            .paddedCharacters(ascii("@-._'/#\\:?&;()$%+! "))),
        FortField("settlement_reference", .order, mandatory: false, max: 34, .characters(ascii("-_."))),
        FortField(
            "payment_option", .order, mandatory: false, max: 10, .values(["MASTERCARD", "VISA", "MADA", "AMEX"])),
        FortField("token_name", .order, mandatory: false, max: 100, .characters(ascii(".@-_"))),
    ]

    /// Returns the field with this name; `nil` if the Apple Pay request does not have it.
    public static func named(_ name: String) -> FortField? { byName[name] }

    /// The fields that a merchant's order may hold.
    public static let ofOrder = all.filter { $0.origin == .order }

    /// The fields whose values come from Apple's token. Fields that contain other fields are left out.
    static let ofToken = all.filter { $0.origin == .token && $0.content != .object }

    static let ofAccount = all.filter { $0.origin == .account }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    private static let alphanumeric = FortCharacters(letters: .ascii, others: "")
    /// The page's example, `customer_id:12345,campaign:summer2024`, adds the colon to the characters in the
    /// guides.
    private static let extra = FortCharacters(letters: .any, others: ".;/_-,'@: ")

    private static func ascii(_ others: String) -> FortCharacters { FortCharacters(letters: .ascii, others: others) }
    private static func international(_ others: String) -> FortCharacters {
        FortCharacters(letters: .any, others: others)
    }
    private static func digits(_ others: String) -> FortCharacters { FortCharacters(letters: .none, others: others) }
}

extension FortField {
    /// The parameters of a recurring payment, from APS's page "Recurring Payments API" and the table of its
    /// integration guide: first its own parameters, then those that it shares with other requests.
    ///
    /// `customer_ip` appears in the guide's example but in no table, so it is optional. The length of
    /// `agreement_id` comes from the Apple Pay page. Its characters are not documented, so those of `token_name`
    /// are allowed.
    public static let ofRecurring: [FortField] =
        [
            FortField("command", .order, mandatory: true, max: 20, .values(["PURCHASE"])),
            FortField("eci", .order, mandatory: true, max: 16, .values(["RECURRING"])),
            FortField("token_name", .order, mandatory: true, max: 100, .characters(ascii(".@-_"))),
            FortField("agreement_id", .order, mandatory: false, max: 15, .characters(ascii(".@-_"))),
            FortField("payment_option", .order, mandatory: false, max: 10, .values(["MASTERCARD", "VISA", "AMEX"])),
            FortField("customer_ip", .order, mandatory: false, max: 45, .ipAddress),
        ] + (ofOrder + ofOperations).filter { sharedByRecurring.contains($0.name) }

    private static let sharedByRecurring: Set = [
        "merchant_reference", "amount", "currency", "language", "customer_email", "order_description", "customer_name",
        "phone_number", "settlement_reference", "merchant_extra", "merchant_extra1", "merchant_extra2",
        "merchant_extra3", "merchant_extra4", "merchant_extra5",
    ]

    /// FORT's number of an order. It distinguishes several orders with the same `merchant_reference`.
    public static let fortID = FortField("fort_id", .order, mandatory: false, max: 20, .characters(digits("")))

    /// The parameters of other operations that the Apple Pay page does not have. They come from APS's pages about
    /// maintenance operations and CHECK_STATUS, and from the tables of the SDK token and the SDK's operations in
    /// APS's mobile SDK guide.
    public static let ofOperations: [FortField] = [
        fortID,
        FortField(
            "maintenance_reference", .order, mandatory: false, max: 200,
            .characters(FortCharacters(letters: .ascii, others: "-_."))),
        FortField(
            "device_id", .order, mandatory: true, max: 100, .characters(FortCharacters(letters: .ascii, others: "-"))),
        FortField(
            "sdk_token", .order, mandatory: true, max: 100, .characters(FortCharacters(letters: .ascii, others: ""))),
        FortField(
            "token_name", .order, mandatory: false, max: 100,
            .characters(FortCharacters(letters: .ascii, others: ".@-_"))),
        FortField(
            "payment_option", .order, mandatory: false, max: 10,
            .values(["MASTERCARD", "VISA", "AMEX", "SADAD", "NAPS", "KNET", "MADA", "MEEZA"])),
        // The guide's page writes "No" and gives a length of 2; APS's integration guide writes "NO".
        FortField("remember_me", .order, mandatory: false, max: 3, .values(["YES", "NO", "No"])),
        FortField("return_third_party_response_codes", .order, mandatory: false, max: 3, .values(["YES", "NO"])),
    ]
}
