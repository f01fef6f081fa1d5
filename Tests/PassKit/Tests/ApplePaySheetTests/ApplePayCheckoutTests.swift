import PassKit
import PayrelayAPI
import PayrelayClient
import Testing

@Suite(.timeLimit(.minutes(25))) struct ApplePayCheckoutTests {
    @Test("A captured payment is a success on the sheet, and the app gets it when the sheet is gone")
    func aCapturedPayment() async throws {
        let checkout = Checkout([(1, .payment("captured"))])
        let outcome = await checkout.run { test in
            await test.sheet.shown()
            test.sheet.authorize(Checkout.payment())
        }
        guard case .paid(.captured(let receipt)) = try outcome.get() else { return #expect(Bool(false), "\(outcome)") }
        #expect(receipt.merchantReference == "ORDER-1001")
        #expect(checkout.sheet.completions.map { $0.map(\.status) } == [[.success]])
        #expect(!checkout.sheet.isOpen)
        let token = try #require(checkout.relay.sent.first?.objectValue?["token"]?.objectValue)
        #expect(token["transactionIdentifier"] == "aa11")
        #expect(token["paymentMethod"] == ["displayName": "Visa 1111", "network": "Visa", "type": "debit"])
        #expect(token["paymentData"] == ["version": "EC_v1"])
    }

    @Test("While a payment is under way the app is not suspended, and afterwards it may be", arguments: [false, true])
    func anAppInTheBackground(isExpired: Bool) async throws {
        let activities = ExpiringActivities()
        let checkout = Checkout([(1, .failure(.lost("lost"))), (1, .payment("captured"))])
        let outcome = await ExpiringActivities.$current.withValue(activities) {
            let task = checkout.start()
            await checkout.sheet.shown()
            #expect(activities.reasons.isEmpty)
            checkout.sheet.authorize(Checkout.payment())
            await checkout.relay.received()
            #expect(activities.reasons.count == 1)
            // The system gives no more time, and the payment goes on.
            if isExpired { activities.expire() }
            // Time passes only now, because answers take time.
            return await passing(checkout.clock) { await task.value }
        }
        guard case .paid(.captured) = try outcome.get() else { return #expect(Bool(false), "\(outcome)") }
        activities.waitUntilEnded(1)
        #expect(activities.reasons.isEmpty)
    }

    @Test("A sheet that is closed before an authorization is cancelled, and nothing is sent")
    func aCancelledSheet() async throws {
        let checkout = Checkout([(1, .payment("captured"))])
        let outcome = await checkout.run { test in
            await test.sheet.shown()
            test.sheet.close()
        }
        #expect(try outcome.get() == .cancelled)
        #expect(checkout.relay.sent.isEmpty)
    }

    @Test("A sheet that iOS cannot present is an error, and nothing is sent")
    func aSheetThatCannotBePresented() async {
        let checkout = Checkout([(1, .payment("captured"))], sheet: SimulatedSheet(presents: false))
        let outcome = await checkout.run { _ in }
        guard case .failure(.invalidConfiguration(let reason)) = outcome else {
            return #expect(Bool(false), "\(outcome)")
        }
        #expect(reason == "the payment sheet cannot be presented")
    }

    @Test("A decline, an unprocessed and an uncertain payment are failures, and the sheet closes")
    func failuresCloseTheSheet() async throws {
        for (word, closesOnFailure) in [
            ("declined", false), ("declined", true), ("not_processed", false), ("uncertain", false),
            ("uncertain", true), ("refunded", false), ("a newer word", false),
        ] {
            let checkout = Checkout(
                [(1, .payment(word))], sheet: SimulatedSheet(closesOnFailure: closesOnFailure))
            let outcome = await checkout.run { test in
                await test.sheet.shown()
                test.sheet.authorize(Checkout.payment())
            }
            guard case .paid(let result) = try outcome.get() else { return #expect(Bool(false), "\(outcome)") }
            #expect(!result.isSuccess)
            #expect(checkout.sheet.completions.map { $0.map(\.status) } == [[.failure]], "\(word)")
            #expect(checkout.sheet.completions.joined().allSatisfy { $0.errors.isEmpty })
            #expect(!checkout.sheet.isOpen, "\(word)")
        }
    }

    @Test("A sheet that is gone after the authorization does not end the payment, and is not a cancellation")
    func aSheetThatIsGoneAfterTheAuthorization() async throws {
        for word in ["captured", "declined", "uncertain"] {
            let checkout = Checkout([(5, .payment(word))])
            let outcome = await checkout.run { test in
                await test.sheet.shown()
                test.sheet.authorize(Checkout.payment())
                await test.relay.received()
                test.sheet.close()
            }
            guard case .paid(let result) = try outcome.get() else { return #expect(Bool(false), "\(outcome)") }
            #expect(result.isSuccess == (word == "captured"))
            #expect(checkout.sheet.completions.map(\.count) == [1])
        }
    }

    @Test("A relay that never answers ends as an error that may have been charged, and the sheet is completed once")
    func aRelayThatNeverAnswers() async {
        for script: [(Double, ScriptedRelay.Answer)] in [
            [(1, .failure(.lost("")))], [(1, .silence)], [(40, .payment("captured"))],
        ] {
            let checkout = Checkout(script)
            let outcome = await checkout.run(patience: 1_000) { test in
                await test.sheet.shown()
                test.sheet.authorize(Checkout.payment())
            }
            guard case .failure(let error) = outcome else { return #expect(Bool(false), "\(outcome)") }
            #expect(error.mayHaveBeenCharged)
            #expect(checkout.sheet.completions.map { $0.map(\.status) } == [[.failure]])
            #expect(checkout.clock.now < 40)
        }
    }

    @Test("A backend that never gives an order token does not hold the sheet")
    func aBackendThatNeverAnswers() async {
        let checkout = Checkout([(1, .payment("captured"))]) { _ in
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            return ""
        }
        let outcome = await checkout.run(patience: 1_000) { test in
            await test.sheet.shown()
            test.sheet.authorize(Checkout.payment())
        }
        guard case .failure = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(checkout.sheet.completions.map { $0.map(\.status) } == [[.failure]])
        #expect(checkout.relay.sent.isEmpty)
    }

    @Test("A sheet whose closing is never reported does not hold the outcome back")
    func aSheetWhoseClosingIsNeverTold() async throws {
        for word in ["captured", "declined"] {
            let checkout = Checkout([(1, .payment(word))], sheet: SimulatedSheet(tellsOfDismissal: false))
            let outcome = await checkout.run { test in
                await test.sheet.shown()
                test.sheet.authorize(Checkout.payment())
            }
            guard case .paid = try outcome.get() else { return #expect(Bool(false), "\(outcome)") }
        }
    }

    @Test("A second authorization of a sheet is not sent: while the first is under way, and after it")
    func aSecondAuthorizationIsNotSent() async throws {
        let checkout = Checkout([(5, .payment("uncertain"))])
        let outcome = await checkout.run { test in
            await test.sheet.shown()
            test.sheet.authorize(Checkout.payment())
            await test.relay.received()
            test.sheet.authorize(Checkout.payment())
        }
        checkout.sheet.authorize(Checkout.payment())
        await Task { @MainActor in }.value
        guard case .paid(.uncertain) = try outcome.get() else { return #expect(Bool(false), "\(outcome)") }
        #expect(checkout.sheet.completions.map { $0.map(\.status) } == [[.failure], [.failure], [.failure]])
        #expect(Set(checkout.relay.sent).count == 1)
    }

    @Test("A token that is not Apple's JSON is a failure, and nothing is sent")
    func aTokenThatIsNotJSON() async {
        let checkout = Checkout([(1, .payment("captured"))])
        let outcome = await checkout.run { test in
            await test.sheet.shown()
            test.sheet.authorize(Checkout.payment("no JSON"))
        }
        guard case .failure(.tokenRefused(check: nil, _)) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(checkout.sheet.completions.map { $0.map(\.status) } == [[.failure]])
        #expect(checkout.relay.sent.isEmpty)
    }
}
