extension FortField {
    /// The request parameters of an SDK token, from table 5.4.1 of the mobile SDK guide.
    public static let ofSdkToken: [FortField] =
        [FortField("service_command", .message, mandatory: true, max: 20, .values([FortCommand.sdkToken.rawValue]))]
        + documented(
            ["access_code", "merchant_identifier", "language", "device_id", "signature"], by: all + ofOperations)

    /// The fields that the SDK sends for a card payment, from table 6.7.1 of the mobile SDK guide and the table
    /// of the page "iOS SDK Operations", which adds fields.
    public static let ofSdkOperation: [FortField] =
        documented(
            [
                "command", "merchant_reference", "amount", "currency", "language", "customer_email", "sdk_token",
                "token_name", "payment_option", "order_description", "customer_name", "phone_number",
                "settlement_reference", "remember_me",
            ] + extras, by: ofOperations + all) + [optionalSignature, optionalAddress, eciWithMoto]

    /// The fields that the SDK sends for an Apple Pay payment, from the table "SDK Integration" of the page
    /// "Apple Pay API". The SDK also sends Apple's token, in parameters that the table leaves out.
    /// `settlement_reference` is shorter here than in every other table.
    public static let ofSdkApplePay: [FortField] =
        documented(
            [
                "digital_wallet", "command", "merchant_reference", "amount", "currency", "language", "customer_email",
                "sdk_token", "payment_option", "eci", "order_description", "statement_descriptor", "customer_name",
                "phone_number", "token_name", "remember_me",
            ] + extras, by: all + ofOperations) + [
            FortField(
                "settlement_reference", .order, mandatory: false, max: 22,
                .characters(FortCharacters(letters: .ascii, others: "-_."))),
            optionalSignature, optionalAddress,
        ]

    private static let extras = ["merchant_extra"] + (1...5).map { "merchant_extra\($0)" }

    /// Optional, because a phone has no phrase to sign with. A signature from a phone proves nothing.
    private static let optionalSignature = FortField(
        "signature", .message, mandatory: false, max: 200, .characters(FortCharacters(letters: .ascii, others: "")))

    /// The guide says "Mandatory, if the fraud service is active". FORT sees the phone's address in any case.
    private static let optionalAddress = FortField(
        "customer_ip", .order, mandatory: false, max: 45, .ipAddress)

    private static let eciWithMoto = FortField(
        "eci", .order, mandatory: false, max: 16, .values(["ECOMMERCE", "MOTO"]))

    /// Returns the fields with these names. If two tables have a field, the first one in `fields` counts.
    private static func documented(_ names: [String], by fields: [FortField]) -> [FortField] {
        names.compactMap { name in fields.first { $0.name == name } }
    }
}
