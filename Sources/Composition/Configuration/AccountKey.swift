/// The key of a setting of one account among several, which stand in the file alone: `fort.accounts.NAME.access_code`.
struct AccountKey {
    enum Field: String, CaseIterable {
        case accessCode = "access_code"
        case merchantIdentifier = "merchant_identifier"
        case signatureType = "signature_type"
        case requestPhrase = "request_phrase"
        case responsePhrase = "response_phrase"
        /// ISO 4217 codes with commas between them.
        case currencies
    }

    let name: String
    let field: Field
    /// Whether it names the file that holds the value.
    let isFile: Bool

    init(_ field: Field, of name: String, isFile: Bool = false) {
        self.name = name
        self.field = field
        self.isFile = isFile
    }

    /// Nil where the text is no such key.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "fort", parts[1] == "accounts", !parts[2].isEmpty else { return nil }
        let isFile = parts[3].hasSuffix("_phrase_file")
        guard let field = Field(rawValue: String(isFile ? parts[3].dropLast("_file".count) : parts[3])) else {
            return nil
        }
        self.init(field, of: String(parts[2]), isFile: isFile)
    }

    static func isOne(_ text: String) -> Bool { AccountKey(text) != nil }

    var text: String { "fort.accounts.\(name).\(field.rawValue)\(isFile ? "_file" : "")" }
}
