import PayrelayClient
import ShopCheckout
import Testing

/// In no case is a customer who may have paid offered to pay again.
@MainActor @Suite struct CheckoutModelTests {
    private static let reference = OneOrderBackend.shopOrder.merchantReference

    private let open = RememberedPayment()

    private func model(_ payments: ScriptedPayments, _ backend: OneOrderBackend = OneOrderBackend()) -> CheckoutModel {
        CheckoutModel(backend: backend, payments: payments, open: open)
    }

    private func pay(_ answers: ScriptedPayments.Answer...) async -> (model: CheckoutModel, isSuccess: Bool) {
        let model = model(ScriptedPayments(answers))
        await model.order(["coffee": 1])
        return (model, await model.pays())
    }

    @Test(
        "An order of the backend is paid with its reference, amount and currency",
        arguments: ["captured", "authorized"])
    func paid(outcome: String) async throws {
        let payments = ScriptedPayments([.success(try payment(outcome))])
        let model = model(payments)
        await model.order(["coffee": 1])
        #expect(model.state == .ready(OneOrderBackend.shopOrder))
        #expect(await model.pays())
        #expect(model.state == .paid(merchantReference: Self.reference))
        #expect(payments.requests == ["pay ORDER-1001 PURCHASE 10000 AED"] && open.merchantReference == nil)
    }

    @Test("The reference is stored before the request is sent")
    func storedBefore() async throws {
        let open = open
        let stored = RememberedPayment()
        let payments = ScriptedPayments([.success(try payment("captured"))]) {
            stored.merchantReference = open.merchantReference
        }
        let model = model(payments)
        await model.order(["coffee": 1])
        _ = await model.pays()
        #expect(stored.merchantReference == Self.reference)
    }

    @Test("A declined card ends the order, and a payment that was not processed charged nothing")
    func notPaid() async throws {
        let declined = await pay(.success(try payment("declined")))
        #expect(!declined.isSuccess && declined.model.state == .declined && open.merchantReference == nil)
        let earlier = await pay(.failure(.referenceTaken(by: try payment("declined").receipt)))
        #expect(earlier.model.state == .declined && open.merchantReference == nil)
        let lost = await pay(.success(try payment("not_processed")))
        #expect(!lost.isSuccess && lost.model.state == .choosing && lost.model.failure != nil)
        #expect(open.merchantReference == nil)
    }

    @Test("While a payment may have been made, nothing can be paid or ordered")
    func uncertain() async throws {
        let answers: [ScriptedPayments.Answer] = [
            .success(.uncertain(nil)), .success(try payment("processing")), .success(try payment("a-new-word")),
            .failure(.noAnswer), .failure(.cancelled(mayHaveBeenSent: true)), .failure(.referenceTaken(by: nil)),
            .failure(.referenceTaken(by: try payment("captured").receipt)),
            .failure(.referenceTaken(by: try payment("uncertain").receipt)),
        ]
        for answer in answers {
            let (model, isSuccess) = await pay(answer)
            #expect(!isSuccess && model.state == .checking(merchantReference: Self.reference), "\(answer)")
            #expect(open.merchantReference == Self.reference)
            await model.order(["coffee": 1])
            #expect(await !model.pays())
            #expect(model.state == .checking(merchantReference: Self.reference))
        }
    }

    @Test("If nothing was charged, the order can be paid again")
    func refused() async throws {
        let errors: [RelayError] = [
            .nothingWasSent(retryAfter: nil), .tokenRefused(check: "freshness", detail: "old"), .simulatorToken,
            .orderTokenUnavailable(OrderTokenFailure(OneOrderBackend.Failure())), .cancelled(mayHaveBeenSent: false),
            .notAuthenticated(detail: "expired"), .orderNotAllowed([]), .insecureConnection(detail: "TLS"),
        ]
        for error in errors {
            let (model, isSuccess) = await pay(.failure(error), .success(try payment("captured")))
            #expect(!isSuccess && model.state == .ready(OneOrderBackend.shopOrder) && model.failure != nil)
            #expect(open.merchantReference == nil)
            #expect(await model.pays())
            #expect(model.failure == nil)
        }
    }

    @Test("An app that ended while it paid queries the outcome at its next start, until it knows")
    func startedAnew() async throws {
        open.merchantReference = Self.reference
        let errors: [RelayError] = [
            .noAnswer, .nothingWasSent(retryAfter: 1),
            .orderTokenUnavailable(OrderTokenFailure(OneOrderBackend.Failure())),
            .notAuthenticated(detail: ""), .notPermitted(detail: ""), .insecureConnection(detail: ""),
            .cancelled(mayHaveBeenSent: false),
        ]
        let payments = ScriptedPayments(errors.map { .failure($0) } + [.success(try payment("captured"))])
        let model = model(payments)
        for _ in errors {
            await model.check()
            #expect(model.state == .checking(merchantReference: Self.reference) && open.merchantReference != nil)
        }
        await model.check()
        #expect(model.state == .paid(merchantReference: Self.reference) && open.merchantReference == nil)
        #expect(Set(payments.requests) == ["outcome ORDER-1001"])
    }

    @Test(
        "An order whose payment the relay does not know is paid again under the same reference, and no other order is")
    func neverArrived() async throws {
        open.merchantReference = Self.reference
        let payments = ScriptedPayments(
            [
                .failure(.noSuchPayment), .failure(.cancelled(mayHaveBeenSent: false)),
                .failure(.nothingWasSent(retryAfter: nil)), .success(try payment("captured")),
            ], closesTheSheet: true)
        let model = model(payments)
        await model.check()
        #expect(model.state == .ready(OneOrderBackend.shopOrder) && model.failure != nil)
        for _ in 0..<2 {
            #expect(await !model.pays())
            await model.order(["coffee": 1])
            #expect(model.state == .ready(OneOrderBackend.shopOrder) && open.merchantReference == Self.reference)
        }
        #expect(await model.pays() && open.merchantReference == nil)
        #expect(Set(payments.requests.dropFirst()) == ["pay ORDER-1001 PURCHASE 10000 AED"])
    }

    @Test(
        "An order with an external payment, or whose token pays another order, is not offered again while no payment is visible"
    )
    func paidElsewhere() async throws {
        for error in [RelayError.referenceTaken(by: nil), .tokenUsed] {
            open.merchantReference = nil
            let (model, _) = await pay(.failure(error), .failure(.noSuchPayment))
            await model.check()
            #expect(model.state == .checking(merchantReference: Self.reference) && open.merchantReference != nil)
        }
    }

    @Test("An order whose payment was not sent is paid under the same reference; one that was not processed is over")
    func notSent() async throws {
        open.merchantReference = Self.reference
        let notSent = model(ScriptedPayments([.success(try payment("not_sent"))]))
        await notSent.check()
        #expect(notSent.state == .ready(OneOrderBackend.shopOrder) && open.merchantReference == Self.reference)
        let notProcessed = model(ScriptedPayments([.success(try payment("not_processed"))]))
        await notProcessed.check()
        #expect(notProcessed.state == .choosing && notProcessed.failure != nil && open.merchantReference == nil)
    }

    @Test("An order that is shipped is paid, whatever the relay says about its payment")
    func shipped() async throws {
        let order = ShopOrder(
            merchantReference: Self.reference, amount: 10_000, currency: "AED", shippingMethods: [], isShipped: true)
        for error in [RelayError.noSuchPayment, .noAnswer] {
            open.merchantReference = Self.reference
            let model = model(ScriptedPayments([.failure(error)]), OneOrderBackend(order))
            await model.check()
            #expect(model.state == .paid(merchantReference: Self.reference) && model.failure == nil, "\(error)")
            #expect(open.merchantReference == nil)
        }
    }

    @Test("An order that the backend does not give back stays to be checked")
    func unknownOrder() async throws {
        open.merchantReference = Self.reference
        let model = model(ScriptedPayments([.failure(.noSuchPayment)]), OneOrderBackend(nil))
        await model.check()
        #expect(model.state == .checking(merchantReference: Self.reference) && open.merchantReference != nil)
    }

    @Test("A customer who closes the sheet may open it again, and nothing stays open")
    func closedSheet() async throws {
        let captured = try payment("captured")
        let payments = ScriptedPayments(
            [.failure(.cancelled(mayHaveBeenSent: false)), .success(captured)], closesTheSheet: true)
        let model = model(payments)
        await model.order(["coffee": 1])
        #expect(await !model.pays())
        #expect(model.state == .ready(OneOrderBackend.shopOrder) && model.failure == nil)
        #expect(open.merchantReference == nil)
        #expect(await model.pays())
    }

    @Test("An order that cannot be made or paid is reported, and nothing is sent")
    func noOrder() async throws {
        let payments = ScriptedPayments([])
        let none = model(payments, OneOrderBackend(nil))
        await none.order(["coffee": 1])
        #expect(none.state == .choosing && none.failure != nil)
        for (amount, currency) in [(-1, "AED"), (10_000_000_000, "AED"), (1, "XXX")] {
            let order = ShopOrder(merchantReference: "ORDER-1", amount: amount, currency: currency, shippingMethods: [])
            let model = model(payments, OneOrderBackend(order))
            await model.order(["coffee": 1])
            #expect(await !model.pays() && model.failure != nil)
        }
        #expect(payments.requests.isEmpty && open.merchantReference == nil)
    }

    @Test("A view learns of each step")
    func steps() async throws {
        let model = model(ScriptedPayments([.success(try payment("captured"))]))
        var seen: [CheckoutModel.State] = []
        model.onChange = { if seen.last != model.state { seen.append(model.state) } }
        await model.order(["coffee": 1])
        _ = await model.pays()
        let order = OneOrderBackend.shopOrder
        #expect(seen == [.ordering, .ready(order), .paying(order), .paid(merchantReference: Self.reference)])
    }
}
