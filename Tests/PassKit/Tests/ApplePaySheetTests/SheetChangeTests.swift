import Foundation
import PassKit
import PayrelayAPI
import PayrelayPrimitives
import Testing

@testable import PayrelayClient

/// The change handler of a shop. It records the selections and gives the test's answers.
@MainActor private final class Shop {
    private(set) var asked: [SheetSelection] = []
    private let answer: @MainActor (SheetSelection) async throws -> SheetUpdate

    init(_ answer: @escaping @MainActor (SheetSelection) async throws -> SheetUpdate) {
        self.answer = answer
    }

    func update(_ selection: SheetSelection) async throws -> SheetUpdate {
        asked.append(selection)
        return try await answer(selection)
    }
}

@Suite(.timeLimit(.minutes(25))) struct SheetChangeTests {
    private struct BackendError: Error {}

    static func method(_ identifier: String) -> PKShippingMethod {
        let method = PKShippingMethod(label: identifier, amount: 15)
        method.identifier = identifier
        return method
    }

    private static func contact(_ country: String) -> PKContact {
        let contact = PKContact()
        contact.postalAddress = CNPostalAddress(
            street: "", city: "Dubai", state: "DU", postalCode: "00000", isoCountryCode: country)
        return contact
    }

    /// Returns 115.00 AED with the courier, and 100.00 AED without.
    @MainActor private static func price(of selection: SheetSelection) -> SheetUpdate {
        let isCourier = selection.shippingMethod == "courier"
        return SheetUpdate(
            amount: isCourier ? 11_500 : 10_000, orderToken: isCourier ? "token-11500" : "token-10000",
            lineItems: [PKPaymentSummaryItem(label: "Shipping", amount: isCourier ? 15 : 0)])
    }

    /// Waits until `count` changes have their answers.
    private static func answered(_ sheet: SimulatedSheet, _ count: Int = 1) async {
        while sheet.updates.filter({ !$0.isEmpty }).count < count { await Task.yield() }
        await Task { @MainActor in }.value
    }

    private static func failure(_ outcome: Checkout.Outcome) -> (any Error)? {
        guard case .failure(.orderTokenUnavailable(let failure)) = outcome else { return nil }
        return failure.cause
    }

    @Test("After a change the sheet's total is the app's new amount, and that is paid, with its order token")
    func aChangedTotalIsPaid() async throws {
        let checkout = Checkout([(1, .payment("captured"))], onChange: { Self.price(of: $0) })
        let outcome = await checkout.run { test in
            await test.sheet.shown()
            test.sheet.select(Self.method("courier"))
            await Self.answered(test.sheet)
            test.sheet.authorize(Checkout.payment())
        }
        guard case .paid(.captured(let receipt)) = try outcome.get() else { return #expect(Bool(false), "\(outcome)") }
        #expect(receipt.amount == 11_500)
        let update = try #require(checkout.sheet.updates.first?.first)
        #expect(update.status == .success && update.total == 115 && update.labels == ["Shipping", "Shop"])
        #expect(checkout.sheet.authorizedTotals == [115])
        #expect(checkout.relay.sent.map { $0["amount"] } == [11_500])
        #expect(checkout.relay.orderTokens == ["Bearer token-11500"])
    }

    @Test("The app gets all of the customer's choices, and the address without a name or street")
    func theSelection() async {
        let shop = await Shop { _ in SheetUpdate(amount: 10_000, orderToken: "t") }
        let checkout = Checkout([], onChange: { try await shop.update($0) })
        _ = await checkout.run { test in
            await test.sheet.shown()
            test.sheet.select(Self.contact("AE"))
            test.sheet.select(Self.method("courier"))
            test.sheet.enter(couponCode: "TEN")
            test.sheet.select(PKPaymentMethod(displayName: "Visa 1111", network: .visa, type: .debit))
            await Self.answered(test.sheet, 4)
            test.sheet.close()
        }
        let asked = await shop.asked
        #expect(asked.map(\.changed) == [.shippingContact, .shippingMethod, .couponCode, .paymentMethod])
        let last = asked.last
        #expect(
            last?.shippingAddress
                == SheetAddress(countryCode: "AE", state: "DU", city: "Dubai", postalCode: "00000"))
        #expect(last?.shippingMethod == "courier" && last?.couponCode == "TEN")
        #expect(last?.paymentMethod == SheetPaymentMethod(network: "Visa", type: "debit"))
        #expect("\(String(describing: last)) \(String(reflecting: last?.shippingAddress))".contains("Dubai") == false)
    }

    @Test("The app handles one change after another, and the total of the last one is paid")
    func changesInARow() async throws {
        let clock = ManualClock()
        let checkout = Checkout(
            [(1, .payment("captured"))], clock: clock,
            onChange: { selection in
                // The first answer takes longer than the second.
                try await clock.sleep(seconds: selection.shippingMethod == "courier" ? 10 : 1)
                return Self.price(of: selection)
            })
        let outcome = await checkout.run { test in
            await test.sheet.shown()
            test.sheet.select(Self.method("courier"))
            test.sheet.select(Self.method("pickup"))
            await Self.answered(test.sheet, 2)
            test.sheet.authorize(Checkout.payment())
        }
        guard case .paid(.captured) = try outcome.get() else { return #expect(Bool(false), "\(outcome)") }
        #expect(checkout.relay.sent.map { $0["amount"] } == [10_000])
        #expect(checkout.sheet.updates.map(\.count) == [1, 1])
        #expect(checkout.sheet.updates.last?.first?.total == 100)
    }

    @Test("An authorization before the sheet shows the new total is not sent")
    func anAuthorizationDuringAChange() async {
        let clock = ManualClock()
        let checkout = Checkout(
            [(1, .payment("captured"))], clock: clock,
            onChange: {
                try await clock.sleep(seconds: 10)
                return Self.price(of: $0)
            })
        // The app's answer takes until time passes.
        let task = checkout.start()
        await checkout.sheet.shown()
        checkout.sheet.select(Self.method("courier"))
        checkout.sheet.authorize(Checkout.payment())
        let outcome = await passing(clock) { await task.value }
        #expect(Self.failure(outcome) is SheetChangeFailure, "\(outcome)")
        #expect(checkout.relay.sent.isEmpty && !checkout.sheet.isOpen)
        #expect(checkout.sheet.completions.map { $0.map(\.status) } == [[.failure]])
        #expect(checkout.sheet.updates.map { $0.map(\.status) } == [[.failure]])
    }

    @Test("An app that throws closes the sheet with its error, and nothing is sent")
    func anAppThatThrows() async {
        let checkout = Checkout([], onChange: { _ in throw BackendError() })
        let outcome = await checkout.run { test in
            await test.sheet.shown()
            test.sheet.select(Self.method("courier"))
        }
        #expect(Self.failure(outcome) is BackendError, "\(outcome)")
        #expect(checkout.relay.sent.isEmpty && !checkout.sheet.isOpen)
        #expect(checkout.sheet.updates.map { $0.map(\.status) } == [[.failure]])
        #expect(checkout.sheet.updates.first?.first?.total == 100)
    }

    @Test("An answer that is not an order token, or comes after the time limit, closes the sheet, and nothing is sent")
    func unusableAnswers() async {
        let error = Checkout([], onChange: { _ in SheetUpdate(amount: 1, orderToken: "<html>") })
        let refused = await error.run { test in
            await test.sheet.shown()
            test.sheet.select(Self.method("courier"))
        }
        #expect(Self.failure(refused) as? OrderTokenFault == .notABearerToken, "\(refused)")

        let silent = Checkout(
            [(1, .payment("captured"))],
            onChange: { _ in
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                throw BackendError()
            })
        let late = await silent.run(patience: 100_000) { test in
            await test.sheet.shown()
            test.sheet.select(Self.method("courier"))
        }
        #expect(Self.failure(late) as? OrderTokenFault == .timeout, "\(late)")
        // Apple gives the app 30 seconds.
        #expect(silent.clock.now < 30 + 10)
        #expect(silent.sheet.updates.map { $0.map(\.status) } == [[.failure]])
    }

    @Test("A change that the app refuses is shown with its errors and the old total, and can be corrected")
    func aRefusedChange() async throws {
        let error = PKPaymentRequest.paymentShippingAddressUnserviceableError(withLocalizedDescription: "Not there.")
        let onChange: SheetChangeHandler = {
            $0.shippingAddress?.countryCode == "AE" ? Self.price(of: $0) : .refused([error])
        }
        let checkout = Checkout([(1, .payment("captured"))], onChange: onChange)
        let outcome = await checkout.run { test in
            await test.sheet.shown()
            test.sheet.select(Self.contact("AQ"))
            await Self.answered(test.sheet)
            #expect(test.sheet.isOpen)
            test.sheet.select(Self.contact("AE"))
            await Self.answered(test.sheet, 2)
            test.sheet.authorize(Checkout.payment())
        }
        guard case .paid(.captured) = try outcome.get() else { return #expect(Bool(false), "\(outcome)") }
        #expect(checkout.sheet.updates.map { $0.map(\.errors.count) } == [[1], [0]])
        #expect(checkout.sheet.updates.first?.first?.total == 100)

        let impatient = Checkout([(1, .payment("captured"))], onChange: onChange)
        let unsent = await impatient.run { test in
            await test.sheet.shown()
            test.sheet.select(Self.contact("AQ"))
            await Self.answered(test.sheet)
            test.sheet.authorize(Checkout.payment())
        }
        #expect(Self.failure(unsent) is SheetChangeFailure, "\(unsent)")
        #expect(impatient.relay.sent.isEmpty)
    }

    @Test("A wrong coupon code with a price is shown, and the order can be paid for that price")
    func aWrongCouponCode() async throws {
        let checkout = Checkout(
            [(1, .payment("captured"))],
            onChange: { _ in
                SheetUpdate(
                    amount: 10_000, orderToken: "t",
                    errors: [PKPaymentRequest.paymentCouponCodeInvalidError(localizedDescription: "Unknown.")])
            })
        let outcome = await checkout.run { test in
            await test.sheet.shown()
            test.sheet.enter(couponCode: "NO")
            await Self.answered(test.sheet)
            test.sheet.authorize(Checkout.payment())
        }
        guard case .paid(.captured) = try outcome.get() else { return #expect(Bool(false), "\(outcome)") }
        #expect(checkout.sheet.updates.first?.first?.errors.count == 1)
    }

    @Test("An order token that is older than two minutes is not sent: the client gets another")
    func anOldOrderToken() async throws {
        let clock = ManualClock()
        let checkout = Checkout([(1, .payment("captured"))], clock: clock, onChange: { Self.price(of: $0) })
        let outcome = await checkout.run(patience: 100_000) { test in
            await test.sheet.shown()
            test.sheet.select(Self.method("courier"))
            await Self.answered(test.sheet)
            try? await clock.sleep(seconds: 121)
            test.sheet.authorize(Checkout.payment())
        }
        guard case .paid(.captured) = try outcome.get() else { return #expect(Bool(false), "\(outcome)") }
        #expect(checkout.relay.sent.map { $0["amount"] } == [11_500])
        #expect(checkout.relay.orderTokens == ["Bearer order-token"])
    }

    @Test("New shipping methods are shown, and a method that is no longer among them is no longer selected")
    func newShippingMethods() async {
        let shop = await Shop { selection in
            let methods = selection.changed == .shippingContact ? [Self.method("pickup")] : nil
            return SheetUpdate(amount: 10_000, orderToken: "t", shippingMethods: methods)
        }
        let checkout = Checkout([], onChange: { try await shop.update($0) })
        _ = await checkout.run { test in
            await test.sheet.shown()
            test.sheet.select(Self.method("courier"))
            await Self.answered(test.sheet)
            test.sheet.select(Self.contact("AE"))
            await Self.answered(test.sheet, 2)
            test.sheet.enter(couponCode: "")
            await Self.answered(test.sheet, 3)
            test.sheet.close()
        }
        #expect(await shop.asked.map(\.shippingMethod) == ["courier", "courier", nil])
        #expect(checkout.sheet.updates.map { $0.first?.shippingMethods } == [[], ["pickup"], []])
    }

    @Test("Without a handler the sheet's delegate takes no changes, and the first total is paid")
    func withoutAHandler() async throws {
        let checkout = Checkout([(1, .payment("captured"))])
        let outcome = await checkout.run { test in
            await test.sheet.shown()
            test.sheet.select(Self.method("courier"))
            test.sheet.authorize(Checkout.payment())
        }
        guard case .paid(.captured) = try outcome.get() else { return #expect(Bool(false), "\(outcome)") }
        #expect(checkout.sheet.updates.first?.first?.total == nil)
        #expect(checkout.relay.sent.map { $0["amount"] } == [10_000])
    }
}
