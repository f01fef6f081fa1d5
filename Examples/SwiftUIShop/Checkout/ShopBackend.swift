/// What the shop's own backend does for the app. Examples/backend is one.
public protocol ShopBackend: Sendable {
    func products() async throws -> [Product]

    /// Orders products by their identifiers and counts. The backend knows the prices.
    func order(_ items: [String: Int]) async throws -> ShopOrder

    /// An order token for an order.
    func orderToken(for merchantReference: String) async throws -> String

    func isShipped(_ merchantReference: String) async throws -> Bool
}

public struct Product: Sendable, Hashable, Identifiable {
    public let id: String
    public let name: String
    /// In minor units.
    public let amount: Int

    public init(id: String, name: String, amount: Int) {
        self.id = id
        self.name = name
        self.amount = amount
    }
}

/// An order as the backend made it.
public struct ShopOrder: Sendable, Hashable {
    public let merchantReference: String
    /// In minor units of the currency.
    public let amount: Int
    /// ISO 4217.
    public let currency: String

    public init(merchantReference: String, amount: Int, currency: String) {
        self.merchantReference = merchantReference
        self.amount = amount
        self.currency = currency
    }
}
