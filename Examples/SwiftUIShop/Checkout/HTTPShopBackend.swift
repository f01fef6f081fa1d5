public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Examples/backend over HTTP.
public struct HTTPShopBackend: ShopBackend {
    private let base: URL

    /// - Parameter base: The backend's address, for example `https://shop.example`.
    public init(_ base: URL) {
        self.base = base
    }

    public func products() async throws -> [Product] {
        let catalog: Catalog = try await ask("products")
        return catalog.products.map { Product(id: $0.key, name: $0.value.name, amount: $0.value.amount) }
            .sorted { $0.name < $1.name }
    }

    public func order(_ items: [String: Int]) async throws -> ShopOrder {
        let order: Order = try await ask("orders", posting: JSONEncoder().encode(["items": items]))
        return order.shown
    }

    public func order(withReference merchantReference: String) async throws -> ShopOrder {
        let order: Order = try await ask("orders/\(merchantReference)")
        return order.shown
    }

    public func orderToken(for merchantReference: String) async throws -> String {
        try await quote(merchantReference, shipping: nil).orderToken
    }

    public func quote(_ merchantReference: String, shipping: String?) async throws -> ShopQuote {
        let body = try JSONEncoder().encode(shipping.map { ["shipping": $0] } ?? [:])
        let token: Token = try await ask("orders/\(merchantReference)/token", posting: body)
        return ShopQuote(amount: token.amount, orderToken: token.order_token)
    }

    // The backend's member names.
    private struct Catalog: Decodable {
        struct Entry: Decodable {
            let name: String
            let amount: Int
        }

        let products: [String: Entry]
    }

    private struct Order: Decodable {
        let merchant_reference: String
        let amount: Int
        let currency: String
        let shipping_methods: [ShippingMethod]
        let shipped: Bool

        var shown: ShopOrder {
            ShopOrder(
                merchantReference: merchant_reference, amount: amount, currency: currency,
                shippingMethods: shipping_methods, isShipped: shipped)
        }
    }

    private struct Token: Decodable {
        let amount: Int
        let order_token: String
    }

    private func ask<Answer: Decodable>(_ path: String, posting body: Data? = nil) async throws -> Answer {
        var request = URLRequest(url: base.appendingPathComponent(path))
        request.httpBody = body
        request.httpMethod = body == nil ? "GET" : "POST"
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let status = (response as? HTTPURLResponse)?.statusCode, (200..<300).contains(status) else {
            throw URLError(.badServerResponse)
        }
        return try JSONDecoder().decode(Answer.self, from: data)
    }
}
