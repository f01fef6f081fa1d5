import PayrelayPrimitives

/// Finds the parts of a token in every shape that apps send.
///
/// The shapes are: PassKit's or Apple Pay JS's `payment.token`; the whole `payment` with `token` inside; bare
/// `paymentData`; and `paymentData` (or `token`, as Flutter names it) as an object, as a JSON string, or as base64 of
/// that JSON.
struct TokenShape {
    let paymentData: JSONObject
    /// The object that holds `paymentMethod` and `transactionIdentifier`.
    let token: JSONObject

    /// - Throws: ``TokenDecodingError`` where no payment data is found, or the Simulator's.
    init(_ json: JSON) throws(TokenDecodingError) {
        let outer = try Self.tokenObject(in: json)
        guard outer["transactionIdentifier"] != .string(PaymentToken.simulatedIdentifier) else { throw .simulator }
        if let inner = outer["paymentData"] ?? outer["token"] {
            paymentData = try Self.object(inner, field: outer["paymentData"] == nil ? "token" : "paymentData")
        } else if ["version", "data", "signature", "header"].contains(where: { outer[$0] != nil }) {
            paymentData = outer
        } else {
            throw .invalid([.init(field: "paymentData", detail: "is missing")])
        }
        guard !Self.isEmpty(.object(paymentData)) else { throw .simulator }
        token = outer
    }

    /// The object that has `paymentData`, or is it: the value itself, or the `token` of a whole `payment`.
    private static func tokenObject(in json: JSON) throws(TokenDecodingError) -> JSONObject {
        let outer = try object(json, field: "")
        guard outer["paymentData"] == nil, let token = outer["token"], let inner = unwrap(token)?.objectValue,
            inner["paymentData"] != nil
        else { return outer }
        return inner
    }

    private static func object(_ json: JSON, field: String) throws(TokenDecodingError) -> JSONObject {
        guard let object = unwrap(json)?.objectValue else {
            let detail = "must be an object, or a string with JSON or base64 of JSON in it"
            throw .invalid([.init(field: field, detail: detail)])
        }
        return object
    }

    /// An upper bound for an object that comes as a string, in bytes.
    private static let wrappedLimit = 256 * 1024

    /// Returns the JSON in a string, plain or in base64; nil if it is neither, or longer than ``wrappedLimit``.
    /// An empty string or null becomes an empty object, as in the Simulator's tokens. Other values are returned
    /// unchanged.
    private static func unwrap(_ json: JSON) -> JSON? {
        guard let text = json.stringValue else { return json == .null ? [:] : json }
        guard !text.isEmpty else { return [:] }
        guard text.utf8.count <= wrappedLimit else { return nil }
        if let direct = try? JSON(parsing: text) { return direct }
        guard let decoded = try? Base64Text(text) else { return nil }
        return try? JSON(parsing: decoded.bytes)
    }

    /// Whether nothing is in it but empty texts: so the Simulator's payment data looks once an app has serialized it.
    private static func isEmpty(_ json: JSON) -> Bool {
        switch json {
        case .null: true
        case .string(let text): text.isEmpty
        case .object(let object): object.members.allSatisfy { isEmpty($0.value) }
        default: false
        }
    }
}
