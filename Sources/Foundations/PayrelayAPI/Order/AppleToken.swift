public import PayrelayPrimitives

/// An Apple Pay token from a device. It is a secret, because the card can be charged with it. It is printed as
/// `***`.
public struct AppleToken: Sendable, Hashable, Redacted {
    /// The token in any form that the API accepts (`Token` in openapi.yaml).
    public let json: JSON

    /// Creates a token from the JSON of another device or a browser.
    public init(json: JSON) {
        self.json = json
    }

    /// Creates a token from the members of PassKit's `PKPaymentToken`.
    ///
    /// - Parameters:
    ///   - paymentData: Apple's JSON in UTF-8. It is empty in the iOS Simulator.
    ///   - methodType: the word of Apple Pay JS, such as `debit`; `nil` if PassKit has none.
    /// - Throws: ``AppleTokenError`` if the data is not empty and is not a JSON object.
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
