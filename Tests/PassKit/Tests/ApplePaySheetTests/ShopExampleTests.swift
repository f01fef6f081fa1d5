import PassKit
import PayrelayAPI
import Testing

@testable import PayrelayClient

/// Examples/SwiftUIShop: its part between Apple's sheet and the library.
@Suite(.timeLimit(.minutes(1))) struct ShopExampleTests {
    private func pay(
        _ checkout: Checkout, _ customer: @escaping @Sendable (Checkout) async -> Void
    ) async -> Result<PaymentResult?, RelayError> {
        let task = Task { @MainActor in
            await SimulatedSheet.$current.withValue(checkout.sheet) {
                let sheet = ApplePayCheckout(checkout.client, within: .seconds(25), slot: SheetSlot())
                do throws(RelayError) {
                    return Result<PaymentResult?, RelayError>.success(
                        try await SheetPayments(checkout.client, sheet).pay(Checkout.order))
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

    @Test("A closed sheet is no payment")
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
