public import PayrelayPrimitives

/// The parts of an Apple Pay token that FORT's `apple_…` parameters carry, unchanged.
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

    /// Missing mandatory parts and control characters, by FORT's names, for example `apple_displayName`.
    public var errors: [ValidationError] { checked { $0.errors(in: $1) } }

    /// Where the token exceeds FORT's documented limits; see ``FortField/warnings(in:)``.
    public var warnings: [ValidationError] { checked { $0.warnings(in: $1 ?? "") } }

    public var description: String { "the apple_… parameters of one token" }

    private func checked(_ details: (FortField, String?) -> [String]) -> [ValidationError] {
        var errors: [ValidationError] = []
        // By place: a field is not copied for it.
        for place in Self.parts.indices {
            for detail in details(Self.parts[place].field, Self.parts[place].value(self).map(FortField.trimmed)) {
                errors.append(ValidationError(field: Self.parts[place].field.name, detail: detail))
            }
        }
        return errors
    }

    /// FORT's fields for the token, and the part that each takes; nil where the token lacks it.
    private static let parts: [(field: FortField, value: @Sendable (AppleParameters) -> String?)] =
        FortField.ofToken.map { ($0, value(of: $0.name)) }

    private static func value(of name: String) -> @Sendable (AppleParameters) -> String? {
        switch name {
        case "apple_data": { $0.data }
        case "apple_signature": { $0.signature }
        case "apple_transactionId": { $0.transactionId }
        case "apple_ephemeralPublicKey": { $0.ephemeralPublicKey }
        case "apple_publicKeyHash": { $0.publicKeyHash }
        case "apple_applicationData": { $0.applicationData }
        case "apple_displayName": { $0.displayName }
        case "apple_network": { $0.network }
        case "apple_type": { $0.type }
        default: { _ in nil }
        }
    }

    /// As they stand in a request: two objects, the rest at top level.
    var parameters: JSONObject {
        func members(_ values: (name: String, value: String?)...) -> [JSONObject.Member] {
            var members: [JSONObject.Member] = []
            members.reserveCapacity(8)
            for (name, value) in values {
                guard let value else { continue }
                members.append(JSONObject.Member(name: name, value: .string(FortField.trimmed(value))))
            }
            return members
        }
        func object(_ name: String, _ members: [JSONObject.Member]) -> JSONObject.Member {
            JSONObject.Member(name: name, value: .object(JSONObject(distinct: members)))
        }
        return JSONObject(
            distinct: members(
                ("apple_data", data), ("apple_signature", signature), ("apple_applicationData", applicationData))
                + [
                    object(
                        "apple_header",
                        members(
                            ("apple_ephemeralPublicKey", ephemeralPublicKey), ("apple_publicKeyHash", publicKeyHash),
                            ("apple_transactionId", transactionId))),
                    object(
                        "apple_paymentMethod",
                        members(("apple_displayName", displayName), ("apple_network", network), ("apple_type", type))),
                ])
    }
}
