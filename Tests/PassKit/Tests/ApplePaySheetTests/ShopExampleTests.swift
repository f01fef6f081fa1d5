import PassKit
import PayrelayAPI
import ShopCheckout
import Testing

@testable import PayrelayClient

/// The part of Examples/SwiftUIShop between Apple's sheet and the library.
@Suite(.timeLimit(.minutes(25))) struct ShopExampleTests {
    /// A backend with the prices of Examples/backend.
    private struct Backend: ShopBackend {
        static let shipping = [
            ShippingMethod(id: "pickup", label: "Pickup", amount: 0),
            ShippingMethod(id: "courier", label: "Courier", amount: 1_500),
        ]

        func products() async throws -> [Product] { [] }
        func order(_ items: [String: Int]) async throws -> ShopOrder { throw CancellationError() }
        func orderToken(for merchantReference: String) async throws -> String { "order-token" }
        func order(withReference merchantReference: String) async throws -> ShopOrder { throw CancellationError() }

        func quote(_ merchantReference: String, shipping: String?) async throws -> ShopQuote {
            let price = Self.shipping.first { $0.id == shipping }?.amount ?? 0
            return ShopQuote(amount: 10_000 + price, orderToken: "\(merchantReference)-\(shipping ?? "")")
        }
    }

    private func pay(
        _ checkout: Checkout, _ customer: @escaping @Sendable (Checkout) async -> Void
    ) async -> Result<PaymentResult?, RelayError> {
        let task = Task { @MainActor in
            await SimulatedSheet.$current.withValue(checkout.sheet) {
                let sheet = ApplePayCheckout(checkout.client, within: .seconds(25), slot: SheetSlot())
                do throws(RelayError) {
                    return Result<PaymentResult?, RelayError>.success(
                        try await SheetPayments(checkout.client, sheet, Backend())
                            .pay(Checkout.order, shipping: Backend.shipping))
                } catch {
                    return .failure(error)
                }
            }
        }
        return await passing(checkout.clock, patience: nil) {
            await customer(checkout)
            return await task.value
        }
    }

    @Test("The example's order is paid in the sheet, with the email address that the customer entered there")
    func pays() async throws {
        let checkout = Checkout([(1, .payment("captured"))])
        let result = await pay(checkout) { test in
            await test.sheet.shown()
            test.sheet.authorize(Checkout.payment(email: "noor@example.com"))
        }
        #expect(try result.get()?.isSuccess == true)
        #expect(checkout.relay.sent.first?["customer_email"] == "noor@example.com")
    }

    @Test("The example's customer chooses a shipping method in the sheet, and pays its price")
    func paysForShipping() async throws {
        let checkout = Checkout([(1, .payment("captured"))])
        let result = await pay(checkout) { test in
            await test.sheet.shown()
            test.sheet.select(SheetChangeTests.method("courier"))
            while test.sheet.updates.contains(where: \.isEmpty) { await Task.yield() }
            await Task { @MainActor in }.value
            test.sheet.authorize(Checkout.payment(email: "noor@example.com"))
        }
        #expect(try result.get()?.isSuccess == true)
        #expect(checkout.relay.sent.first?["amount"] == 11_500)
        #expect(checkout.relay.orderTokens == ["Bearer ORDER-1001-courier"])
    }

    @Test("A closed sheet makes no payment")
    func closed() async throws {
        let checkout = Checkout([])
        let result = await pay(checkout) { test in
            await test.sheet.shown()
            test.sheet.close()
        }
        #expect(try result.get() == nil)
        #expect(checkout.relay.sent.isEmpty)
    }
}
