/// What an order token pins: the order's fields that are among its claims, as a request would send them. With the token a phone
/// pays exactly this order and nothing else.
public struct PinnedOrder: Sendable, Equatable {
    public let merchantReference: String
    /// By FORT's names, as text; `amount` in minor units of the currency. `merchant_reference` is among them.
    public let fields: [String: String]

    /// The claims that make a JWT an order token: where one of them is there, the first three must be.
    static let marks = required + ["command"]
    static let required = ["merchant_reference", "amount", "currency"]

    /// - Parameter fields: the others, by their names.
    public init(merchantReference: String, fields: [String: String]) {
        self.merchantReference = merchantReference
        self.fields = fields.merging(["merchant_reference": merchantReference]) { $1 }
    }
}
