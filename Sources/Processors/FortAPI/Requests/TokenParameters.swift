public import ApplePayToken
public import PayrelayPrimitives

/// FORT's `apple_…` parameters: the parts of Apple's token, as Apple wrote them.
extension PaymentToken {
    /// Missing parts and control characters of the token, by FORT's names, for example `apple_displayName`.
    var fortErrors: [ValidationError] {
        FortField.errors(of: FortField.ofToken, in: { name in fortParameter(name).map(\.trimmedOfWhiteSpace) })
    }

    /// Where it exceeds FORT's documented limits, by FORT's names; see ``FortField/warnings(in:)``.
    public var fortWarnings: [ValidationError] {
        FortField.ofToken.flatMap { field in
            field.warnings(in: fortParameter(field.name) ?? "").map { ValidationError(field: field.name, detail: $0) }
        }
    }

    /// As it stands in a request: two objects, the rest at top level.
    var fortMembers: [JSONObject.Member] {
        members("apple_data", "apple_signature", "apple_applicationData") + [
            JSONObject.Member(
                name: "apple_header",
                value: .object(
                    JSONObject(
                        distinct: members("apple_ephemeralPublicKey", "apple_publicKeyHash", "apple_transactionId")))),
            JSONObject.Member(
                name: "apple_paymentMethod",
                value: .object(JSONObject(distinct: members("apple_displayName", "apple_network", "apple_type")))),
        ]
    }

    private func members(_ names: String...) -> [JSONObject.Member] {
        names.compactMap { name in
            fortParameter(name).map { JSONObject.Member(name: name, value: .string($0.trimmedOfWhiteSpace)) }
        }
    }

    /// The part that a parameter carries; nil where the token lacks it.
    private func fortParameter(_ name: String) -> String? {
        switch name {
        case "apple_data": data.text
        case "apple_signature": signature.text
        case "apple_transactionId": header.transactionId.text
        // A token of version RSA_v1 has none.
        case "apple_ephemeralPublicKey": header.ephemeralPublicKey?.text
        case "apple_publicKeyHash": header.publicKeyHash.text
        // In hex. The page of APS says base64; Apple says hex, and so does the page's example.
        case "apple_applicationData": header.applicationData?.text
        // FORT demands these three; an app that sends `paymentData` alone has none.
        case "apple_displayName": paymentMethod?.displayName
        // In Apple's spelling: FORT's own clients pass it on as it is, so `mada` is not made `Mada`.
        case "apple_network": paymentMethod?.network
        // Apple Pay JS's word. PassKit's `unknown` and `eMoney`, which FORT does not list, are passed on with a warning.
        case "apple_type": paymentMethod?.type?.rawValue
        default: nil
        }
    }
}
