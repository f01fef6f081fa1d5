import PayrelayPrimitives

/// Conclusions from the names of the parameters in a message of FORT.
///
/// FORT's signed text does not say where a name ends (``CanonicalText``). For example, `amount=100` and
/// `payment_option=VISA` have the same signed text as `amount=10` and a parameter named `0payment_option`. An
/// answer with such a name is not proof. A parameter that APS adds, such as `token_status`, has a name of another
/// form: words of lower-case letters and digits, separated by underscores.
enum FortParameterName {
    /// Whether FORT documents a parameter of this name.
    static func isKnown(_ name: String) -> Bool {
        // Apple's names have capital letters. Without the check for ASCII, the set would find a name with U+212A
        // in place of a K, because Swift compares both as equal.
        name.utf8.allSatisfy { $0 < 0x80 } && known.contains(name)
    }

    /// Whether the name consists of the end of another parameter's value and a known name: someone split the
    /// signed text at another place than FORT did.
    static func isSplitElsewhere(_ name: String) -> Bool {
        guard !isKnown(name) else { return false }
        let bytes = Array(name.utf8)
        return (max(1, bytes.count - longestKnown)..<max(1, bytes.count)).contains { start in
            known.contains(String(decoding: bytes[start...], as: UTF8.self)) && !isOfWords(bytes[..<start])
        }
    }

    /// Returns the names that FORT does not document, for the log: at most eight that look like names, and the
    /// number of the others. A name may be any text, and may contain the end of a customer's data, so not every
    /// name can be logged.
    ///
    /// - Returns: `nil` if FORT documents all names.
    static func unknown(among names: [String]) -> String? {
        let unknown = names.filter { !isKnown($0) && $0 != FortSignature.parameterName }
        guard !unknown.isEmpty else { return nil }
        let shown = unknown.filter { $0.utf8.count <= longestShown && isWord($0) && !isSplitElsewhere($0) }.prefix(8)
        let others = unknown.count - shown.count
        return (shown + (others > 0 ? ["\(others) more"] : [])).joined(separator: ", ")
    }

    /// The maximum length in bytes of a name that is logged.
    private static let longestShown = 40
    private static let longestKnown = known.map(\.utf8.count).max() ?? 0

    /// Whether the text can be the beginning of an unknown name that ends in an underscore and a known name.
    private static func isOfWords(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, isLetter(first), bytes.last == UInt8(ascii: "_") else { return false }
        return bytes.allSatisfy(isNameByte)
    }

    private static func isWord(_ name: String) -> Bool {
        name.utf8.first.map(isLetter) ?? false && name.utf8.allSatisfy(isNameByte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || byte.isASCIIDigit || byte == UInt8(ascii: "_")
    }

    /// Every parameter of a request, and the parameters that answers add. The sources are the mobile SDK guide
    /// (section 6.7), APS's integration guide, and the parameters that APS's plugins read.
    static let known = Set((FortField.all + FortField.ofRecurring + FortField.ofOperations).map(\.name)).union([
        "3ds_url", "acquirer_response_code", "acquirer_response_description", "acquirer_response_message",
        "authorization_code", "authorized_amount", "bill_number", "captured_amount", "card_bin", "card_brand",
        "card_holder_name", "card_number", "card_security_code", "card_type", "customer_country_code", "customer_id",
        "customer_type", "expiry_date", "form_id", "installments", "invoice_number", "issuer_code", "issuer_country",
        "number_of_installments", "payment_link", "payment_link_id", "plan_code", "processor_response_code",
        "query_command", "reconciliation_reference", "refunded_amount", "request_date", "response_code",
        "response_message", "return_url", "service_command", "status", "token_type", "transaction_code",
        "transaction_message", "transaction_status", "user_segment",
    ])
}
