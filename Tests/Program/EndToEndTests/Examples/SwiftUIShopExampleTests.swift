import Foundation
import PayrelayClient
import PayrelayPrimitives
import ShopCheckout
import Synchronization
import TestPrograms
import Testing

/// Examples/SwiftUIShop without its views: the app's checkout with the backend, the relay and the sandbox.
@Suite(.enabled(if: ExampleProgram.isOnThePath("node"), "node is not on the PATH"))
struct SwiftUIShopExampleTests {
    private final class Stored: OpenPayment {
        private let reference = Mutex<String?>(nil)

        var merchantReference: String? {
            get { reference.withLock { $0 } }
            set { reference.withLock { $0 = newValue } }
        }
    }

    /// A client in place of the sheet, with a customer who chooses the last shipping method, and with a minted token and an
    /// email address.
    private struct MintedPayments: PaymentClient {
        let client: RelayClient
        let backend: HTTPShopBackend

        func pay(_ order: Order, shipping: [ShippingMethod]) async throws(RelayError) -> PaymentResult? {
            let quote = try? await backend.quote(order.merchantReference, shipping: shipping.last?.id)
            guard let quote, let amount = MinorUnits(quote.amount), let token = try? Orders.token(amount: quote.amount)
            else { throw .simulatorToken }
            var order = order
            order.amount = amount
            order.customerEmail = "sara@example.com"
            return try await client.pay(
                order, with: AppleToken(json: token), orderToken: quote.orderToken, within: .seconds(25))
        }

        func outcome(of merchantReference: String) async throws(RelayError) -> PaymentResult {
            try await client.outcome(of: merchantReference)
        }
    }

    @Test("The app orders, pays and gets the goods, and queries the payment after a new start")
    func theAppPays() async throws {
        let place = try await RunningBackend.Place()
        let relay = try await RunningRelay(place.relay)
        let shop = try await RunningBackend(
            place, "web-shop/serve.mjs", ["RELAY_URL": "http://127.0.0.1:\(relay.port)"])
        let url = try #require(URL(string: "http://127.0.0.1:\(place.socket.port)"))
        let backend = HTTPShopBackend(url)
        let client = RelayClient(.development(url)) { try await backend.orderToken(for: $0) }
        let stored = Stored()

        let reference = try #require(try await pay(at: backend, client, stored))
        #expect(try await client.outcome(of: reference).receipt?.amount == 18_000)
        try await shop.program.wait(for: "the shipment") { try await backend.order(withReference: reference).isShipped }
        // The stored reference has the same effect as an app that ended before the answer arrived.
        stored.merchantReference = reference
        await startAnew(with: reference, at: backend, client, stored)
    }

    /// - Returns: The reference of a paid order.
    @MainActor private func pay(
        at backend: HTTPShopBackend, _ client: RelayClient, _ stored: Stored
    ) async throws -> String? {
        let model = CheckoutModel(
            backend: backend, payments: MintedPayments(client: client, backend: backend), open: stored)
        #expect(try await backend.products().map(\.name) == ["Coffee", "Cup"])
        await model.order(["coffee": 1, "cup": 1])
        guard case .ready(let order) = model.state else {
            Issue.record("\(model.state) \(model.failure ?? "")")
            return nil
        }
        #expect(order.amount == 16_500 && order.currency == "AED")
        await model.pay()
        #expect(model.state == .paid(merchantReference: order.merchantReference), "\(model.failure ?? "")")
        return order.merchantReference
    }

    @MainActor private func startAnew(
        with reference: String, at backend: HTTPShopBackend, _ client: RelayClient, _ stored: Stored
    ) async {
        let model = CheckoutModel(
            backend: backend, payments: MintedPayments(client: client, backend: backend), open: stored)
        #expect(model.state == .checking(merchantReference: reference))
        await model.check()
        #expect(model.state == .paid(merchantReference: reference) && stored.merchantReference == nil)
        await model.order(["gold": 1])
        #expect(model.state == .choosing && model.failure != nil)
    }
}
