public import ApplePayToken
public import PayrelayPrimitives

/// FORT's `apple_…` parameters: the parts of Apple's token, as Apple wrote them.
enum TokenParameter: String {
    case data = "apple_data"
    case signature = "apple_signature"
    case transactionId = "apple_transactionId"
    case ephemeralPublicKey = "apple_ephemeralPublicKey"
    case publicKeyHash = "apple_publicKeyHash"
    case applicationData = "apple_applicationData"
    case displayName = "apple_displayName"
    case network = "apple_network"
    case type = "apple_type"

    /// Each with its field, in the fields' order.
    static let fields = FortField.ofToken.compactMap { field in
        TokenParameter(rawValue: field.name).map { (parameter: $0, field: field) }
    }
}

extension PaymentToken {
    /// Missing parts and control characters of the token, by FORT's names, for example `apple_displayName`.
    var fortErrors: [ValidationError] {
        TokenParameter.fields.flatMap { parameter, field in
            let part = part(parameter)
            return field.errors(in: part?.trimmedOfWhiteSpace).map { detail in
                let library = part == nil ? absence(of: parameter) : nil
                return ValidationError(field: field.name, detail: library.map { "\(detail): \($0)" } ?? detail)
            }
        }
    }

    /// Returns which libraries for apps leave a part of the card's description out; `nil` for other parts.
    private func absence(of parameter: TokenParameter) -> String? {
        switch parameter {
        case .displayName, .network, .type:
            let libraries =
                paymentMethod == nil
                ? "react-native-apay, expo-apple-pay-button and cordova-apple-pay-google-pay hand over no paymentMethod"
                : parameter == .type
                    ? "@fresha/capacitor-plugin-applepay drops it" : "the app's library drops it, or the card has none"
            return "FORT demands it, and \(libraries); see docs/app-libraries.md"
        case .data, .signature, .transactionId, .ephemeralPublicKey, .publicKeyHash, .applicationData: return nil
        }
    }

    /// Where it exceeds FORT's documented limits, by FORT's names; see ``FortField/warnings(in:)``.
    public var fortWarnings: [ValidationError] {
        TokenParameter.fields.flatMap { parameter, field in
            field.warnings(in: part(parameter) ?? "").map { ValidationError(field: field.name, detail: $0) }
        }
    }

    /// Its parts by the fields that carry them, with the spaces around them.
    public var fortParts: [(field: FortField, text: String)] {
        TokenParameter.fields.compactMap { parameter, field in part(parameter).map { (field, $0) } }
    }

    /// As it stands in a request: two objects, the rest at top level.
    var fortMembers: [JSONObject.Member] {
        members([.data, .signature, .applicationData]) + [
            JSONObject.Member(
                name: "apple_header",
                value: .object(JSONObject(distinct: members([.ephemeralPublicKey, .publicKeyHash, .transactionId])))),
            JSONObject.Member(
                name: "apple_paymentMethod",
                value: .object(JSONObject(distinct: members([.displayName, .network, .type])))),
        ]
    }

    private func members(_ parameters: [TokenParameter]) -> [JSONObject.Member] {
        parameters.compactMap { parameter in
            part(parameter).map {
                JSONObject.Member(name: parameter.rawValue, value: .string($0.trimmedOfWhiteSpace))
            }
        }
    }

    /// The part that a parameter carries; nil where the token lacks it.
    private func part(_ parameter: TokenParameter) -> String? {
        switch parameter {
        case .data: data.text
        case .signature: signature.text
        case .transactionId: header.transactionId.text
        // A token of version RSA_v1 has none.
        case .ephemeralPublicKey: header.ephemeralPublicKey?.text
        case .publicKeyHash: header.publicKeyHash.text
        // In hex. The page of APS says base64; Apple says hex, and so does the page's example.
        case .applicationData: header.applicationData?.text
        // FORT demands these three; an app that sends `paymentData` alone has none.
        case .displayName: paymentMethod?.displayName?.withoutFormatCharacters
        // In Apple's spelling: FORT's own clients pass it on as it is, so `mada` is not made `Mada`.
        case .network: paymentMethod?.network
        // Apple Pay JS's word. PassKit's `unknown` and `eMoney`, which FORT does not list, are passed on with a warning.
        case .type: paymentMethod?.type?.rawValue
        }
    }
}

extension String {
    /// Without what steers the direction of text and is not seen, such as U+200F: a phone set to Arabic may write it around a name and a
    /// number, and FORT's fields have no control characters.
    fileprivate var withoutFormatCharacters: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.filter { $0.isASCII || $0.properties.generalCategory != .format }))
    }
}
