public import PayrelayPrimitives

/// The fields of an order for Portmone, under the names of this service's API, and their limits.
///
/// Portmone does not publish its limits. The limits of the fields in ``sent`` are this service's own. `APay` gets
/// only these fields, because no public source shows that it accepts more. The fields in ``kept``, which the
/// orders of every gateway may have, are checked, stored with the payment and not sent.
public enum PortmoneOrderFields {
    /// The fields that are sent under Portmone's names: `shopOrderNumber`, `billAmount`, `billCurrency`, and the
    /// command as `preauthFlag`.
    public static let sent = ["command", "merchant_reference", "amount", "currency"]

    /// The fields that are stored and not sent, with the maximum number of characters (Unicode scalars) of each.
    public static let kept: [String: Int] = [
        "language": 2, "customer_email": 254, "customer_ip": 45, "customer_name": 40, "phone_number": 19,
        "order_description": 150, "merchant_extra": 999, "merchant_extra1": 250, "merchant_extra2": 250,
        "merchant_extra3": 250, "merchant_extra4": 250, "merchant_extra5": 250,
    ]

    /// Returns every error of the fields, followed by the names that an order for Portmone does not have.
    public static func errors(in order: [String: String]) -> [ValidationError] {
        var errors: [ValidationError] = []
        func check(_ field: String, isGood: (String) -> Bool, _ detail: String) {
            let value = order[field] ?? ""
            guard value.isEmpty || !isGood(value) else { return }
            errors.append(ValidationError(field: field, detail: value.isEmpty ? "is missing" : detail))
        }
        check(
            "command", isGood: { ["AUTHORIZATION", "PURCHASE"].contains($0) },
            "must be one of AUTHORIZATION, PURCHASE")
        check(
            "merchant_reference", isGood: \.isMerchantReference,
            "must be at most 40 letters A to Z, digits and . _ -")
        check(
            "amount", isGood: { MinorUnits(parsing: $0).map { $0 > .zero } ?? false },
            "must be a whole number of minor units, 1 to \(MinorUnits.limit)")
        check(
            "currency", isGood: { Currency(code: $0) != nil }, "must be an ISO 4217 currency code such as UAH")
        for (name, limit) in kept.sorted(by: { $0.key < $1.key }) {
            guard let value = order[name] else { continue }
            errors += Self.errors(in: value, of: name, upTo: limit)
        }
        let known = Set(sent + kept.keys)
        for name in order.keys.filter({ !known.contains($0) }).sorted() {
            errors.append(ValidationError(field: name, detail: "is not a field of an order for Portmone"))
        }
        return errors
    }

    /// Returns the errors of a value for a field in ``kept``; empty if the value is valid, or if there is no such
    /// field.
    public static func errors(in value: String, ofField name: String) -> [String] {
        kept[name].map { errors(in: value, of: name, upTo: $0).map(\.detail) } ?? []
    }

    private static func errors(in value: String, of name: String, upTo limit: Int) -> [ValidationError] {
        var details: [String] = []
        if value.unicodeScalars.count > limit { details.append("must be at most \(limit) characters") }
        if !value.hasNoControls { details.append("must not contain control characters") }
        if name == "customer_ip", IPAddress(value) == nil { details.append("must be an IPv4 or IPv6 address") }
        if name == "customer_email", !value.isEmpty, !value.has("@") {
            details.append("must be an email address such as name@example.com")
        }
        return details.map { ValidationError(field: name, detail: $0) }
    }
}
