/// The operations of the shop's backend that the app needs. Examples/backend is an implementation.
public protocol ShopBackend: Sendable {
    func products() async throws -> [Product]

    /// Orders products by their identifiers and counts. The backend knows the prices.
    func order(_ items: [String: Int]) async throws -> ShopOrder

    /// Returns an order that was made before.
    func order(withReference merchantReference: String) async throws -> ShopOrder

    /// Returns an order token for an order.
    func orderToken(for merchantReference: String) async throws -> String

    /// Chooses a shipping method for an order, and returns what the order then costs.
    func quote(_ merchantReference: String, shipping: String?) async throws -> ShopQuote
}

public struct Product: Sendable, Hashable, Identifiable {
    public let id: String
    public let name: String
    /// The amount in minor units.
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
    /// The amount in minor units of the currency.
    public let amount: Int
    /// The currency's code in ISO 4217.
    public let currency: String
    /// The available shipping methods. The first one is the order's.
    public let shippingMethods: [ShippingMethod]
    public let isShipped: Bool

    public init(
        merchantReference: String, amount: Int, currency: String, shippingMethods: [ShippingMethod],
        isShipped: Bool = false
    ) {
        self.merchantReference = merchantReference
        self.amount = amount
        self.currency = currency
        self.shippingMethods = shippingMethods
        self.isShipped = isShipped
    }
}

public struct ShippingMethod: Sendable, Hashable, Decodable {
    public let id: String
    public let label: String
    /// The amount in minor units.
    public let amount: Int

    public init(id: String, label: String, amount: Int) {
        self.id = id
        self.label = label
        self.amount = amount
    }
}

/// The amount of an order, and the order token that pins it.
public struct ShopQuote: Sendable, Hashable {
    /// The amount in minor units.
    public let amount: Int
    public let orderToken: String

    public init(amount: Int, orderToken: String) {
        self.amount = amount
        self.orderToken = orderToken
    }
}
