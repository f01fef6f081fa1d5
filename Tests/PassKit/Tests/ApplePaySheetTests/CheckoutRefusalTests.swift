import Foundation
import PassKit
import PayrelayAPI
import PayrelayPrimitives
import Testing

@testable import PayrelayClient

@Suite(.timeLimit(.minutes(25))) struct CheckoutRefusalTests {
    @Test("Amount and currency of the sheet must be the order's, to the last decimal")
    @MainActor func theSheetShowsTheOrder() {
        for (amount, currency, isOrder) in [
            ("100.00", "AED", true), ("100", "AED", true), ("100.01", "AED", false), ("100.001", "AED", false),
            ("100.00", "USD", false), ("100.00", "aed", false), ("100.00", "", false), ("1", "AED", false),
            ("10000", "AED", false), ("-100", "AED", false), ("0", "AED", false), ("NaN", "AED", false),
            ("100.000000000000000000001", "AED", false), ("99999999999999999999", "AED", false),
        ] {
            let request = Checkout.request(amount: amount, currency: currency)
            do throws(RelayError) {
                try request.check(shows: Checkout.order)
                #expect(isOrder, "\(amount) \(currency)")
            } catch {
                #expect(!isOrder, "\(amount) \(currency): \(error)")
                guard case .invalidConfiguration = error else { return #expect(Bool(false), "\(error)") }
            }
        }
    }

    @Test("A sheet without a total, or with a pending one, is refused")
    @MainActor func theSheetHasATotal() {
        let request = Checkout.request()
        request.paymentSummaryItems = []
        #expect(throws: RelayError.self) { try request.check(shows: Checkout.order) }
        let amount = NSDecimalNumber(string: "100")
        request.paymentSummaryItems = [PKPaymentSummaryItem(label: "Shop", amount: amount, type: .pending)]
        #expect(throws: RelayError.self) { try request.check(shows: Checkout.order) }
    }

    @Test("An amount in a currency of three decimals is compared by its minor units")
    @MainActor func threeDecimals() throws {
        let order = Order("ORDER-1001", amount: 10_500, currency: .KWD, customerEmail: "sara@example.com")
        try Checkout.request(amount: "10.5", currency: "KWD").check(shows: order)
        #expect(throws: RelayError.self) {
            try Checkout.request(amount: "105.00", currency: "KWD").check(shows: order)
        }
    }

    @Test("Two sheets at the same time are refused, and a third after the first is not")
    func twoSheets() async throws {
        let slot = await MainActor.run { SheetSlot() }
        let first = Checkout([(1, .payment("captured"))])
        let second = Checkout([(1, .payment("captured"))])
        let outcome = await first.run(slot: slot) { test in
            await test.sheet.shown()
            guard case .failure(.invalidConfiguration) = await second.start(slot: slot).value else {
                return #expect(Bool(false), "a second sheet was shown")
            }
            test.sheet.authorize(Checkout.payment())
        }
        #expect(!second.sheet.isOpen)
        guard case .paid = try outcome.get() else { return #expect(Bool(false), "\(outcome)") }
        let third = await second.run(slot: slot) { test in
            await test.sheet.shown()
            test.sheet.close()
        }
        #expect(try third.get() == .cancelled)
    }

    @Test("While an authorized payment is under way no other sheet is shown, though its own is closed")
    func aClosedSheetWhosePaymentIsUnderWay() async {
        let slot = await MainActor.run { SheetSlot() }
        let first = Checkout([(5, .payment("captured"))])
        let second = Checkout([(1, .payment("captured"))])
        let running = first.start(slot: slot)
        await first.sheet.shown()
        first.sheet.authorize(Checkout.payment())
        await first.relay.received()
        first.sheet.close()
        guard case .failure(.invalidConfiguration) = await second.start(slot: slot).value else {
            return #expect(Bool(false), "a second sheet was shown")
        }
        _ = await passing(first.clock) { await running.value }
    }

    @Test("A cancelled task closes a sheet without an authorization, and not a payment")
    func aCancelledTask() async throws {
        let checkout = Checkout([(5, .payment("captured"))])
        let running = checkout.start()
        await checkout.sheet.shown()
        running.cancel()
        #expect(try await running.value.get() == .cancelled)
        #expect(!checkout.sheet.isOpen)

        let paying = Checkout([(5, .payment("captured"))])
        let task = paying.start()
        await paying.sheet.shown()
        paying.sheet.authorize(Checkout.payment())
        await paying.relay.received()
        task.cancel()
        let outcome = try await passing(paying.clock) { await task.value }.get()
        guard case .paid(.captured) = outcome else { return #expect(Bool(false), "\(outcome)") }

        let early = Checkout([(5, .payment("captured"))])
        let never = early.start()
        never.cancel()
        #expect(try await never.value.get() == .cancelled)
        #expect(!early.sheet.isOpen)
    }
}
