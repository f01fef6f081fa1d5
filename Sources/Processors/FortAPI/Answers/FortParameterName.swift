/// Which names a message of FORT can have.
///
/// FORT's signed text does not say where a name ends (``CanonicalText``): `amount=100` and `payment_option=VISA` can be written as one
/// parameter `npayment_option` after a reference that lost its last letter. Such a name ends in a parameter's name and is itself unknown.
enum FortParameterName {
    /// Whether FORT can have sent a parameter of this name. A parameter that APS adds is plausible, unless its name ends in a known one.
    static func isPlausible(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        // Apple's have capitals. A set of texts takes U+212A for the K in one of them.
        if bytes.allSatisfy({ $0 < 0x80 }), known.contains(name) { return true }
        guard !bytes.isEmpty, bytes.allSatisfy(isNameByte) else { return false }
        return !(1..<bytes.count).contains { known.contains(String(decoding: bytes[$0...], as: UTF8.self)) }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Every parameter of a request, and those that responses add: mobile SDK guide (section 6.7), APS's integration guide, and what its
    /// own plugins read.
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
