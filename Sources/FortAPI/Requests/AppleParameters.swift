public import Primitives

/// The parts of an Apple Pay token that FORT wants, unchanged from what Apple wrote, for its `apple_…` parameters.
public struct AppleParameters: Hashable, Sendable, Redacted {
    /// `paymentData.data`, base64.
    public var data: String
    /// `paymentData.signature`, base64.
    public var signature: String
    /// `paymentData.header.transactionId`, hex.
    public var transactionId: String
    /// `paymentData.header.ephemeralPublicKey`, base64. A token of version RSA_v1 has none and cannot be sent to FORT.
    public var ephemeralPublicKey: String
    /// `paymentData.header.publicKeyHash`, base64.
    public var publicKeyHash: String
    /// `paymentData.header.applicationData`, hex (the page of APS says base64; Apple says hex, and so does its example).
    public var applicationData: String?
    /// `paymentMethod.displayName`. FORT demands it, `network` and `type`; an app that sends `paymentData` alone has none.
    public var displayName: String?
    /// `paymentMethod.network`, in Apple's spelling: FORT's own clients pass it on as it is, so `mada` is not made `Mada`.
    public var network: String?
    /// As it is sent: without the spaces around it.
    var sentNetwork: String? { network.map(FortField.trimmed) }
    /// `paymentMethod.type`, as Apple Pay JS's word: `debit`, `credit`, `prepaid`, `store`. PassKit has two more, `unknown` and
    /// `eMoney`, which FORT does not list: they are passed on as they are, with a warning.
    public var type: String?

    public init(
        data: String, signature: String, transactionId: String, ephemeralPublicKey: String, publicKeyHash: String,
        applicationData: String? = nil, displayName: String?, network: String?, type: String?
    ) {
        self.data = data
        self.signature = signature
        self.transactionId = transactionId
        self.ephemeralPublicKey = ephemeralPublicKey
        self.publicKeyHash = publicKeyHash
        self.applicationData = applicationData
        self.displayName = displayName
        self.network = network
        self.type = type
    }

    /// What FORT must have and the token lacks, and what must not be passed on; by FORT's names, `apple_displayName`.
    public var errors: [ValidationError] {
        FortField.errors(of: FortField.ofToken, in: value(of:))
    }

    /// Where the token exceeds FORT's documented limits; see ``FortField/warnings(in:)``.
    public var warnings: [ValidationError] {
        FortField.ofToken.flatMap { field in
            field.warnings(in: value(of: field.name) ?? "").map { ValidationError(field: field.name, detail: $0) }
        }
    }

    public var description: String { "the apple_… parameters of one token" }

    /// The value under FORT's name; nil where the token lacks it.
    private func value(of name: String) -> String? {
        let value: String? =
            switch name {
            case "apple_data": data
            case "apple_signature": signature
            case "apple_transactionId": transactionId
            case "apple_ephemeralPublicKey": ephemeralPublicKey
            case "apple_publicKeyHash": publicKeyHash
            case "apple_applicationData": applicationData
            case "apple_displayName": displayName
            case "apple_network": network
            case "apple_type": type
            default: nil
            }
        return value.map(FortField.trimmed)
    }

    /// As they stand in a request: two objects, the rest at top level.
    var parameters: JSONObject {
        func members(_ names: String...) -> JSONObject {
            JSONObject(names.compactMap { name in value(of: name).map { (name, .string($0)) } })
        }
        var parameters = members("apple_data", "apple_signature", "apple_applicationData")
        parameters["apple_header"] = .object(
            members("apple_ephemeralPublicKey", "apple_publicKeyHash", "apple_transactionId"))
        parameters["apple_paymentMethod"] = .object(members("apple_displayName", "apple_network", "apple_type"))
        return parameters
    }
}
