public import ApplePayToken
public import PayrelayPrimitives

/// FORT's `apple_…` parameters, which carry the parts of Apple's token as Apple wrote them.
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

    /// Every parameter with its field, in the order of the fields.
    static let fields = FortField.ofToken.compactMap { field in
        TokenParameter(rawValue: field.name).map { (parameter: $0, field: field) }
    }
}

extension PaymentToken {
    /// The errors of the token, under FORT's names such as `apple_displayName`: missing parts and control
    /// characters.
    var fortErrors: [ValidationError] {
        TokenParameter.fields.flatMap { parameter, field in
            let part = part(parameter)
            return field.errors(in: part?.trimmedOfWhiteSpace).map { detail in
                let library = part == nil ? absence(of: parameter) : nil
                return ValidationError(field: field.name, detail: library.map { "\(detail): \($0)" } ?? detail)
            }
        }
    }

    /// Returns which app libraries leave out a part of the card's description; `nil` for parts of another kind.
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

    /// The parts that exceed FORT's documented limits, under FORT's names; see ``FortField/warnings(in:)``.
    public var fortWarnings: [ValidationError] {
        TokenParameter.fields.flatMap { parameter, field in
            field.warnings(in: part(parameter) ?? "").map { ValidationError(field: field.name, detail: $0) }
        }
    }

    /// The token's parts with the fields that carry them. Spaces around a part are kept.
    public var fortParts: [(field: FortField, text: String)] {
        TokenParameter.fields.compactMap { parameter, field in part(parameter).map { (field, $0) } }
    }

    /// The token's members in a request: two objects, and the other parts at the top level.
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

    /// Returns the part that a parameter carries; `nil` if the token does not have it.
    private func part(_ parameter: TokenParameter) -> String? {
        switch parameter {
        case .data: data.text
        case .signature: signature.text
        case .transactionId: header.transactionId.text
        // A token of version RSA_v1 has no ephemeral key.
        case .ephemeralPublicKey: header.ephemeralPublicKey?.text
        case .publicKeyHash: header.publicKeyHash.text
        // APS's page says base64, but Apple says hex, and the example on APS's page is hex.
        case .applicationData: header.applicationData?.text
        // FORT requires these three parts. A token from an app that sends only `paymentData` has none of them.
        case .displayName: paymentMethod?.displayName?.withoutFormatCharacters
        // Apple's spelling is kept, as FORT's own clients do: `mada` is not changed to `Mada`.
        case .network: paymentMethod?.network
        // Apple Pay JS uses this word. FORT does not list PassKit's `unknown` and `eMoney`, which are sent with a
        // warning.
        case .type: paymentMethod?.type?.rawValue
        }
    }
}

extension String {
    /// The text without invisible characters that control the direction of text, such as U+200F. A phone set to
    /// Arabic may write them around a name and a number, and FORT's fields do not allow control characters.
    fileprivate var withoutFormatCharacters: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.filter { $0.isASCII || $0.properties.generalCategory != .format }))
    }
}
