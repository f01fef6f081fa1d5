public import PayrelayPrimitives

/// An Apple Pay token as the device gave it. It is a secret, because it can be used to charge the card: it prints as `***`.
public struct AppleToken: Sendable, Hashable, Redacted {
    /// In any shape that the API accepts (`Token` in openapi.yaml).
    public let json: JSON

    /// A token as another device, or a browser, gave it.
    public init(json: JSON) {
        self.json = json
    }

    /// PassKit's `PKPaymentToken`, member by member.
    ///
    /// - Parameters:
    ///   - paymentData: Apple's JSON, UTF-8. The iOS Simulator's is empty.
    ///   - methodType: Apple Pay JS's word, such as `debit`; nil where PassKit does not say.
    /// - Throws: ``AppleTokenError`` where the data is there and is no JSON object.
    public init(
        paymentData: [UInt8], displayName: String?, network: String?, methodType: String?, transactionIdentifier: String
    ) throws(AppleTokenError) {
        var data = JSON.object([:])
        if !paymentData.isEmpty {
            guard let json = try? JSON(parsing: paymentData), json.objectValue != nil else { throw .notJSON }
            data = json
        }
        var method = JSONObject()
        method["displayName"] = displayName.map { .string($0) }
        method["network"] = network.map { .string($0) }
        method["type"] = methodType.map { .string($0) }
        json = [
            "paymentData": data, "paymentMethod": .object(method),
            "transactionIdentifier": .string(transactionIdentifier),
        ]
    }

    public var description: String { "***" }
}

/// Why a device's token cannot be sent.
public enum AppleTokenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// `paymentData` is not the JSON object that Apple documents.
    case notJSON

    public var description: String { "paymentData is not a JSON object" }
}
