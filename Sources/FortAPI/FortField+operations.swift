extension FortField {
    /// The parameters that the Apple Pay page lacks and other operations have: from APS's pages of maintenance operations
    /// and CHECK_STATUS, and from the tables of the SDK token and of the SDK's operations in its mobile SDK guide. The guide's
    /// table gives `settlement_reference` 34 characters, the page of the Apple Pay SDK 22: here it is the longer.
    public static let ofOperations: [FortField] = [
        FortField(
            "fort_id", .order, mandatory: false, max: 20, .characters(FortCharacters(letters: .none, others: ""))),
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
        FortField(
            "settlement_reference", .order, mandatory: false, max: 34,
            .characters(FortCharacters(letters: .ascii, others: "-_."))),
        FortField("return_third_party_response_codes", .order, mandatory: false, max: 3, .values(["YES", "NO"])),
    ]
}
