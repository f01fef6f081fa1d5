extension FortField {
    /// The parameters that the Apple Pay page lacks and other operations have: from APS's pages of maintenance operations
    /// and CHECK_STATUS, and from the SDK token's table in its mobile SDK guide.
    public static let ofOperations: [FortField] = [
        FortField(
            "fort_id", .order, mandatory: false, max: 20, .characters(FortCharacters(letters: .none, others: ""))),
        FortField(
            "maintenance_reference", .order, mandatory: false, max: 200,
            .characters(FortCharacters(letters: .ascii, others: "-_."))),
        FortField(
            "device_id", .order, mandatory: true, max: 100, .characters(FortCharacters(letters: .ascii, others: "-"))),
        FortField("return_third_party_response_codes", .order, mandatory: false, max: 3, .values(["YES", "NO"])),
    ]
}
