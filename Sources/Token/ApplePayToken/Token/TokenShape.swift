import PayrelayPrimitives

/// Finds the parts of a token in every shape that app libraries use, and gives them Apple's names.
///
/// The tables below list the shapes, each with the library that creates it. Nothing is invented: if a shape lacks
/// a part, the part stays absent. If the input contains a token twice and the two differ, it is rejected.
struct TokenShape {
    /// The payment data, with Apple's names.
    let paymentData: JSONObject
    /// The object that holds `paymentMethod` and `transactionIdentifier`, in Apple's names.
    let token: JSONObject

    /// The paths of members in which libraries wrap the token, from the outermost member.
    private static let envelopes: [[String]] = [
        // The token itself: PassKit's token encoded by hand, Flutter `pay`, Cordova `cordova-plugin-applepay`,
        // React Native `react-native-payments`.
        [],
        // Apple Pay JS (`payment`), Capacitor `@jackobo/capacitor-apple-pay` and `@fresha/capacitor-plugin-applepay`.
        ["token"],
        // React Native `@rnw-community/react-native-payments`: `response.details`.
        ["applePayToken"],
        // React Native `react-native-payments`: `response.toJSON()`.
        ["details"],
        // The Payment Request API of Safari: `response.toJSON()`.
        ["details", "token"],
        // React Native `@rnw-community/react-native-payments`: the whole response.
        ["details", "applePayToken"],
    ]

    /// Returns whether an object is a token, not an envelope.
    private static func isToken(_ object: JSONObject) -> Bool {
        object["paymentData"] != nil || FortNames.hold(object)
    }

    /// - Throws: ``TokenDecodingError`` if no payment data is found, if different payment data is found, or if
    ///   the token comes from the Simulator.
    init(_ json: JSON) throws(TokenDecodingError) {
        let outer = try Self.token(in: try Self.object(json, field: ""))
        guard outer["transactionIdentifier"] != .string(PaymentToken.simulatedIdentifier) else { throw .simulator }
        paymentData = try Self.paymentData(of: outer)
        guard !Self.isEmpty(.object(paymentData)) else { throw .simulator }
        token = try Self.namingPaymentMethod(of: outer)
    }

    /// Returns the token in an envelope, or the outermost object if no envelope contains one.
    private static func token(in outer: JSONObject) throws(TokenDecodingError) -> JSONObject {
        var found: (path: [String], token: JSONObject)?
        for path in envelopes {
            var object: JSONObject? = outer
            for name in path { object = object?[name].flatMap { unwrap($0)?.objectValue } }
            guard let object, isToken(object) else { continue }
            if let found, found.token != object {
                let beside = found.path.isEmpty ? "paymentData" : found.path.joined(separator: ".")
                throw .invalid([
                    .init(field: path.joined(separator: "."), detail: "is another token than \(beside); send one")
                ])
            }
            found = found ?? (path, object)
        }
        return found?.token ?? outer
    }

    /// Returns the payment data. It may occur under several names if the values are equal.
    private static func paymentData(of outer: JSONObject) throws(TokenDecodingError) -> JSONObject {
        var forms: [(field: String, value: JSONObject)] = []
        // Apple's name. The value is an object (Apple Pay JS), JSON text (React Native), or base64 (Cordova,
        // Swift's `Data`).
        if let inner = outer["paymentData"] { forms.append(("paymentData", try object(inner, field: "paymentData"))) }
        if FortNames.hold(outer) { forms.append(("apple_data", try FortNames.paymentData(of: outer))) }
        if let inner = outer["token"] {
            // Flutter's `pay` calls the payment data `token`.
            if forms.isEmpty {
                forms.append(("token", try object(inner, field: "token")))
            } else if let other = unwrap(inner)?.objectValue, isWholePaymentData(other) {
                forms.append(("token", other))
            }
        }
        // These libraries send only the payment data: React Native `react-native-apay`, Expo
        // `expo-apple-pay-button`, Cordova `cordova-apple-pay-google-pay`.
        if forms.isEmpty && ["version", "data", "signature", "header"].contains(where: { outer[$0] != nil })
            || isWholePaymentData(outer)
        {
            forms.append(("data", outer.filter { ["version", "data", "signature", "header"].contains($0.name) }))
        }
        guard let first = forms.first else { throw .invalid([.init(field: "paymentData", detail: "is missing")]) }
        for other in forms.dropFirst() where other.value != first.value {
            throw .invalid([.init(field: other.field, detail: "is another payment than \(first.field); send one")])
        }
        return first.value
    }

    private static func isWholePaymentData(_ object: JSONObject) -> Bool {
        ["data", "signature", "header"].allSatisfy { object[$0] != nil }
    }

    /// Returns the token with its payment method under Apple's names, whatever names it had.
    private static func namingPaymentMethod(of outer: JSONObject) throws(TokenDecodingError) -> JSONObject {
        var forms: [(field: String, value: JSON)] = []
        if let method = outer["paymentMethod"], method != .null { forms.append(("paymentMethod", method)) }
        // Cordova's `cordova-plugin-applepay` has flat members.
        let flat = JSONObject(
            [
                ("paymentMethodDisplayName", "displayName"), ("paymentMethodNetwork", "network"),
                ("paymentMethodTypeCard", "type"),
            ].compactMap { name, apples in outer[name].map { (apples, $0) } })
        if !flat.isEmpty { forms.append(("paymentMethodDisplayName", .object(flat))) }
        if let method = try FortNames.paymentMethod(of: outer) { forms.append(("apple_paymentMethod", method)) }
        guard let first = forms.first else { return outer }
        for other in forms.dropFirst() where other.value != first.value {
            throw .invalid([.init(field: other.field, detail: "is another card than \(first.field); send one")])
        }
        guard first.field != "paymentMethod" else { return outer }
        var named = outer
        named["paymentMethod"] = first.value
        return named
    }

    /// Returns the object that a member contains, directly or wrapped in a string.
    static func object(_ json: JSON, field: String) throws(TokenDecodingError) -> JSONObject {
        guard let object = unwrap(json)?.objectValue else {
            let detail = "must be an object, or a string with JSON or base64 of JSON in it"
            throw .invalid([.init(field: field, detail: detail)])
        }
        return object
    }

    /// The maximum size in bytes of an object in a string.
    private static let wrappedLimit = 256 * 1024
    /// The maximum number of wrappings: JSON text that an app has encoded as JSON again, and base64 around it.
    private static let wrappings = 3

    /// Returns the JSON in a string, plain or in base64; `nil` if it is neither, or longer than ``wrappedLimit``.
    /// An empty string or null becomes an empty object, as in the Simulator's tokens. Other values are returned
    /// unchanged.
    private static func unwrap(_ json: JSON) -> JSON? {
        if json == .null || json.stringValue?.isEmpty == true { return [:] }
        var json = json
        for _ in 0..<wrappings {
            guard let text = json.stringValue else { return json }
            guard text.utf8.count <= wrappedLimit else { return nil }
            if let direct = try? JSON(parsing: text) {
                json = direct
            } else if let bytes = WrappedBase64.decode(text), let decoded = try? JSON(parsing: bytes) {
                json = decoded
            } else {
                return nil
            }
        }
        return json.stringValue == nil ? json : nil
    }

    /// Returns whether the value contains only empty texts, like the Simulator's payment data after an app has
    /// serialized it.
    private static func isEmpty(_ json: JSON) -> Bool {
        switch json {
        case .null: true
        case .string(let text): text.isEmpty
        case .object(let object): object.members.allSatisfy { isEmpty($0.value) }
        default: false
        }
    }
}

/// FORT's names of a token's parts. A backend that called FORT before may use them.
private enum FortNames {
    static func hold(_ object: JSONObject) -> Bool {
        ["apple_data", "apple_signature", "apple_header"].contains { object[$0] != nil }
    }

    /// Returns the payment data under Apple's names. FORT's format has no version. Its header belongs to EC_v1,
    /// the only version that FORT accepts, so the signature is verified as EC_v1.
    static func paymentData(of token: JSONObject) throws(TokenDecodingError) -> JSONObject {
        let inner = try token["apple_header"].map { json throws(TokenDecodingError) in
            try TokenShape.object(json, field: "apple_header")
        }
        var header = JSONObject()
        for name in ["transactionId", "ephemeralPublicKey", "publicKeyHash", "applicationData"] {
            header[name] = inner?["apple_" + name]
        }
        // Some of APS's plugins put the parameter into the header; FORT's documents put it beside the header.
        if let hash = token["apple_applicationData"], hash != .null {
            if let other = header["applicationData"], other != hash {
                let detail = "differs from apple_header.apple_applicationData; send one"
                throw .invalid([.init(field: "apple_applicationData", detail: detail)])
            }
            header["applicationData"] = hash
        }
        var paymentData: JSONObject = ["version": .string(PaymentToken.Version.ecV1.rawValue)]
        paymentData["data"] = token["apple_data"]
        paymentData["signature"] = token["apple_signature"]
        paymentData["header"] = inner.map { _ in .object(header) }
        return paymentData
    }

    /// Returns the card's description under Apple's names; `nil` if there is none.
    static func paymentMethod(of token: JSONObject) throws(TokenDecodingError) -> JSON? {
        guard let json = token["apple_paymentMethod"], json != .null else { return nil }
        let inner = try TokenShape.object(json, field: "apple_paymentMethod")
        var method = JSONObject()
        for name in ["displayName", "network", "type"] { method[name] = inner["apple_" + name] }
        return .object(method)
    }
}
