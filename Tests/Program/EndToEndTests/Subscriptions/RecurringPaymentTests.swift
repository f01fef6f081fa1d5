import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

import struct PayrelayAPI.PaymentDocument

/// Payments with a stored card, over sockets.
@Suite struct RecurringPaymentTests {
    @Test func theFirstPaymentGivesTheBackendTheDataForTheNext() async throws {
        let backend = try EventBackend(answering: 200)
        let relay = try await RunningRelay([
            "PAYRELAY_EVENTS_URL": backend.url,
            "PAYRELAY_EVENTS_SECRET": "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldY",
        ])
        let reference = Orders.reference()
        let (subscription, receipt) = try await Subscription.begin(at: relay, reference)
        #expect(receipt["card_holder_name"] == "Sara Ahmad" && receipt["expiry_date"] == "5012")
        #expect(try PaymentDocument(parsing: receipt.encoded()).answer.tokenName == subscription.tokenName)
        let known = try #require(try await relay.get("/v1/payments/\(reference)").json)
        #expect(known["token_name"] == receipt["token_name"] && known["agreement_id"] == receipt["agreement_id"])
        try await relay.program.wait(for: "the event") { !backend.deliveries.isEmpty }
        let event = try #require(try backend.deliveries.last.map { try JSON(parsing: $0.body) }?["payment"])
        for name in ["token_name", "agreement_id", "expiry_date", "card_holder_name"] {
            #expect(event[name] == receipt[name], "\(name)")
        }
        let once = try #require(try await relay.pay(Orders.body().json).json)
        #expect(once["token_name"] == nil && once["agreement_id"] == nil)
    }

    /// The answer is lost, and CHECK_STATUS reports no token. The feedback reports a token, but proves nothing: with another
    /// card's token the merchant would charge another card.
    @Test("R12: the name of a stored card is not taken from feedback") func noStoredCardIsTakenFromFeedback()
        async throws
    {
        let relay = try await RunningRelay(["PAYRELAY_FORT_TIMEOUT_SECONDS": "15"])
        try await relay.sandbox.set(
            "faults", ["faults": [["fault": "charge_and_never_answer", "command": "PURCHASE", "count": 1]]])
        try await relay.sendFeedbackHere()
        let reference = Orders.reference()
        _ = try await relay.pay(Orders.body(reference).with(["recurring_mode": "UNSCHEDULED"]))
        #expect(try await relay.finalOutcome(of: reference) == "captured")
        try await relay.sandbox.waitForFeedback()
        let known = try #require(try await relay.get("/v1/payments/\(reference)").json)
        #expect(known["token_name"] == nil && known["agreement_id"] == nil)
    }

    @Test func aStoredCardPaysLikeAToken() async throws {
        let relay = try await RunningRelay()
        let (subscription, _) = try await Subscription.begin(at: relay)
        let reference = Orders.reference()
        let body = subscription.body(reference)
        let paid = try await relay.payRecurring(body.json)
        #expect(paid.status == 200 && paid.outcome == "captured", "\(paid.json ?? .null)")
        #expect(paid.json?["command"] == "PURCHASE" && paid.json?["eci"] == "RECURRING")
        #expect(paid.json?["processor_response"]?["digital_wallet"] == nil)
        #expect(try PaymentDocument(parsing: paid.body).json.encoded() == paid.body)
        #expect(paid.header("Server-Timing")?.contains("claim") == true)
        let known = try await relay.get("/v1/payments/\(reference)")
        #expect(known.outcome == "captured" && known.json?["apple_transaction_identifier"] == nil)
        #expect(known.json?["made_elsewhere"] == nil)
        #expect(try PaymentDocument(parsing: known.body).json.encoded() == known.body)
        #expect(try await relay.perform(reference, "refund", ["amount": 900]).outcome == "partially_refunded")
        #expect(try await relay.post("/v1/payments/\(reference)/sync", []).outcome == "partially_refunded")
        // The same token pays any number of months.
        #expect(try await relay.payRecurring(subscription.body().json).outcome == "captured")
    }

    @Test("R1, R2, R3: a recurring payment is made once, and its answer is the same bytes")
    func aRecurringPaymentIsMadeOnce() async throws {
        let relay = try await RunningRelay()
        let (subscription, _) = try await Subscription.begin(at: relay)
        let reference = Orders.reference()
        let body = subscription.body(reference)
        let answers = try await withThrowingTaskGroup { group in
            for _ in 0..<50 { group.addTask { try await relay.payRecurring(body.json) } }
            return try await group.reduce(into: [OutboundAnswer]()) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.status == 200 || $0.status == 409 && $0.problem == "in-flight" })
        #expect(Set(answers.filter { $0.status == 200 }.map(\.body)).count == 1)
        let replay = try await relay.payRecurring(body.json)
        #expect(replay.header("Idempotent-Replayed") == "true")
        let other = try await relay.payRecurring(body.with(["amount": 5_000]))
        #expect(other.status == 422 && other.problem == "reference-taken")
        // Neither kind of payment can take the reference of the other.
        let apple = try await relay.pay(Orders.body(reference).json)
        #expect(apple.status == 422 && apple.problem == "reference-taken")
        #expect(try await relay.payRecurring(subscription.body().json, idempotencyKey: "k").status == 200)
        let keyed = try await relay.payRecurring(subscription.body().json, idempotencyKey: "k")
        #expect(keyed.status == 422 && keyed.problem == "idempotency-key-taken")
        #expect(try await relay.sandbox.charges(of: reference) == 1)
    }

    @Test(
        "R5: a crash while a stored card is charged loses no charge and makes no second one",
        arguments: [
            "claimed", "sent", "answered",
        ])
    func aCrashLosesNoCharge(point: String) async throws {
        let first = try await RunningRelay()
        let (subscription, _) = try await Subscription.begin(at: first)
        first.program.signal(SIGTERM)
        #expect(try await first.program.end() == 0)
        let settings = ["PAYRELAY_FORT_TIMEOUT_SECONDS": "1", "PAYRELAY_NOT_FOUND_AFTER_SECONDS": "1"]
        let relay = try await RunningRelay(after: first, settings.merging(["PAYRELAY_FAIL_POINT": point]) { $1 })
        let reference = Orders.reference()
        _ = try? await relay.payRecurring(subscription.body(reference).json)
        #expect(try await relay.program.end() == -SIGKILL)
        let next = try await RunningRelay(after: relay, settings)
        let outcome = try await next.finalOutcome(of: reference)
        #expect(outcome == (try await next.sandbox.charges(of: reference) == 1 ? "captured" : "not_processed"))
    }

    @Test func everyWrongFieldIsNamedAndNothingIsSent() async throws {
        let relay = try await RunningRelay()
        let long = String(repeating: "A", count: 101)
        let body: JSON = [
            "command": "AUTHORIZATION", "eci": "ECOMMERCE", "amount": "0", "currency": "XXX", "language": "fr",
            "customer_email": "nobody", "token_name": .string(long), "agreement_id": "AGR4567890123456",
            "payment_option": "MADA", "customer_ip": "localhost", "phone_number": "x", "settlement_reference": "a b",
            "digital_wallet": "APPLE_PAY", "token": [:], "recurring_mode": "UNSCHEDULED", "account": "none",
        ]
        let answer = try await relay.payRecurring(body)
        #expect(answer.status == 400)
        #expect(
            Set(answer.faultyFields) == [
                "command", "eci", "amount", "currency", "language", "customer_email", "token_name", "agreement_id",
                "payment_option", "customer_ip", "phone_number", "settlement_reference", "digital_wallet", "token",
                "recurring_mode", "account", "merchant_reference",
            ], "\(answer.faultyFields)")
        let empty = try await relay.payRecurring([:])
        #expect(
            Set(empty.faultyFields) == [
                "merchant_reference", "amount", "currency", "language", "customer_email", "token_name",
            ])
        #expect(try await relay.payRecurring([1]).status == 400)
        #expect(try await relay.sandbox.books().isEmpty)
    }

    @Test("S15: an order token makes no recurring payment, and hears nothing of stored cards")
    func anOrderTokenMakesNone() async throws {
        let folder = try TemporaryFolder()
        let issuer = TokenIssuer()
        let full = try await GeneratedKey("shop", "payments:create,payments:read,recurring-payments:create")
        let narrow = try await GeneratedKey("till", "payments:create,payments:read,payments:manage")
        let relay = try await RunningRelay([
            "PAYRELAY_JWT_KEYS_FILE": issuer.file(in: folder), "PAYRELAY_API_KEYS": "\(full.line); \(narrow.line)",
        ])
        let reference = Orders.reference()
        let claims: JSONObject = [
            "recurring_mode": "UNSCHEDULED", "scope": "payments:create payments:read recurring-payments:create",
        ]
        let token = try issuer.orderToken(reference, claims: claims)
        let phone = try await relay.pay(Orders.phoneBody(reference).json, bearing: token)
        #expect(phone.outcome == "captured", "\(phone.json ?? .null)")
        let looked = try await relay.get("/v1/payments/\(reference)", headers: bearer(token))
        let subscription = try Subscription(
            of: #require(try await relay.get("/v1/payments/\(reference)", headers: bearer(full.key)).json))
        for answer in [phone, looked] {
            let text = String(decoding: answer.body, as: UTF8.self)
            for name in ["token_name", "agreement_id", "expiry_date", "card_holder_name"] {
                #expect(!text.contains(name), "\(name)")
            }
            #expect(!text.contains(subscription.tokenName) && !text.contains(subscription.agreementID))
        }
        for (credential, status) in [(token, 403), (narrow.key, 403), ("none", 401), (full.key, 200)] {
            let answer = try await relay.payRecurring(subscription.body().json, headers: bearer(credential))
            #expect(answer.status == status, "\(answer.json ?? .null)")
        }
        #expect(try await relay.payRecurring(subscription.body().json).status == 401)
    }

    @Test("S1: data that can charge a card again is in no log, and is erased with the customer's data")
    func whatChargesACardAgainIsSecretAndErased() async throws {
        let relay = try await RunningRelay(["PAYRELAY_LOG_LEVEL": "trace", "PAYRELAY_FORT_TIMEOUT_SECONDS": "15"])
        let first = Orders.reference()
        let (subscription, _) = try await Subscription.begin(at: relay, first, ["customer_name": "CanaryHolder"])
        let second = Orders.reference()
        #expect(try await relay.payRecurring(subscription.body(second).json).outcome == "captured")
        #expect(try await relay.payRecurring(subscription.body(amount: 10_408).json).status == 202)
        #expect(try await relay.payRecurring(subscription.body().with(["token_name": "a b"])).status == 400)
        #expect(try await relay.payRecurring(subscription.body().with(["amount": "x"])).status == 400)
        let canaries = [subscription.tokenName, subscription.agreementID, "CanaryHolder"]
        let metrics = String(decoding: try await relay.admin("/metrics").body, as: UTF8.self)
        for canary in canaries { #expect(!metrics.contains(canary)) }
        relay.program.signal(SIGTERM)
        #expect(try await relay.program.end() == 0)
        for canary in canaries { #expect(!relay.program.text.contains(canary), "the output holds \(canary)") }

        for reference in [first, second] {
            let forgotten = try await RunningProgram.run(["forget", reference], environment: relay.environment)
            #expect(forgotten.status == 0, "\(forgotten.text)")
        }
        let next = try await RunningRelay(after: relay)
        for reference in [first, second] {
            let text = String(decoding: try await next.get("/v1/payments/\(reference)").body, as: UTF8.self)
            #expect(text.contains("captured"))
            for canary in canaries + ["expiry_date"] { #expect(!text.contains(canary), "\(canary)") }
        }
        // The card still pays: a backend that keeps the token keeps the subscription.
        #expect(try await next.payRecurring(subscription.body().json).outcome == "captured")
    }

    @Test func anEndedAgreementIsDeclinedAndAForeignTokenUnknown() async throws {
        let relay = try await RunningRelay()
        let (subscription, _) = try await Subscription.begin(at: relay)
        #expect(try await relay.payRecurring(subscription.body(amount: 10_029).json).outcome == "declined")
        #expect(try await relay.sandbox.end(agreement: subscription.agreementID) == 204)
        #expect(try await relay.sandbox.end(agreement: "AGR0") == 404)
        let declined = try await relay.payRecurring(subscription.body().json)
        #expect(declined.status == 200 && declined.outcome == "declined")
        #expect(declined.json?["response_code"] == "13666")
        let unknown = try await relay.payRecurring(subscription.body().with(["token_name": "Op9Vmp"]))
        #expect(unknown.outcome == "declined" && unknown.json?["response_code"] == "00044")
    }
}
