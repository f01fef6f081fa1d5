public import ApplePayToken
public import PayrelayPrimitives

/// FORT's `apple_…` parameters: the parts of Apple's token, as Apple wrote them.
extension PaymentToken {
    /// Missing parts and control characters of the token, by FORT's names, for example `apple_displayName`.
    var fortErrors: [ValidationError] {
        TokenParameter.all.flatMap { parameter in
            parameter.errors(parameter.field.errors(in: parameter.value(in: self)))
        }
    }

    /// Where it exceeds FORT's documented limits, by FORT's names; see ``FortField/warnings(in:)``.
    public var fortWarnings: [ValidationError] {
        TokenParameter.all.flatMap { parameter in
            parameter.errors(parameter.field.warnings(in: parameter.value(in: self) ?? ""))
        }
    }

    /// As it stands in a request: two objects, the rest at top level.
    var fortMembers: [JSONObject.Member] {
        members(in: nil)
            + ["apple_header", "apple_paymentMethod"].map {
                JSONObject.Member(name: $0, value: .object(JSONObject(distinct: members(in: $0))))
            }
    }

    private func members(in object: String?) -> [JSONObject.Member] {
        TokenParameter.all.compactMap { parameter in
            guard parameter.object == object else { return nil }
            return parameter.value(in: self).map { JSONObject.Member(name: parameter.field.name, value: .string($0)) }
        }
    }
}

/// A parameter and the part of the token that it carries. Shared: each payment looks at all of them several times.
private final class TokenParameter: Sendable {
    let field: FortField
    /// The object in which it stands; nil where it stands at top level.
    let object: String?
    private let part: @Sendable (PaymentToken) -> String?

    static let all = FortField.ofToken.map(TokenParameter.init)

    /// Without the white space around it; nil where the token lacks it.
    func value(in token: PaymentToken) -> String? { part(token)?.trimmedOfWhiteSpace }

    func errors(_ details: [String]) -> [ValidationError] {
        details.map { ValidationError(field: field.name, detail: $0) }
    }

    private init(_ field: FortField) {
        self.field = field
        (object, part) =
            switch field.name {
            case "apple_data": (nil, { $0.data.text })
            case "apple_signature": (nil, { $0.signature.text })
            case "apple_transactionId": ("apple_header", { $0.header.transactionId.text })
            // A token of version RSA_v1 has none.
            case "apple_ephemeralPublicKey": ("apple_header", { $0.header.ephemeralPublicKey?.text })
            case "apple_publicKeyHash": ("apple_header", { $0.header.publicKeyHash.text })
            // In hex. The page of APS says base64; Apple says hex, and so does the page's example.
            case "apple_applicationData": (nil, { $0.header.applicationData?.text })
            // FORT demands these three; an app that sends `paymentData` alone has none.
            case "apple_displayName": ("apple_paymentMethod", { $0.paymentMethod?.displayName })
            // In Apple's spelling: FORT's own clients pass it on as it is, so `mada` is not made `Mada`.
            case "apple_network": ("apple_paymentMethod", { $0.paymentMethod?.network })
            // Apple Pay JS's word. PassKit's `unknown` and `eMoney`, which FORT does not list, are passed on with a warning.
            case "apple_type": ("apple_paymentMethod", { $0.paymentMethod?.type?.rawValue })
            default: (nil, { _ in nil })
            }
    }
}
