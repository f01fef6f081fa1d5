import OutboundHTTP
import PayrelayPrimitives
import Testing

import struct PayrelayAPI.PaymentDocument

/// The iOS Simulator's token has no payment data. Only `payrelay-dev` pays with it, by replacing it with a minted token.
@Suite struct SimulatorTokenTests {
    /// The token as PassKit makes it in the Simulator.
    private static let token: JSON = [
        "paymentData": "", "transactionIdentifier": "Simulated Identifier",
        "paymentMethod": ["displayName": "Simulated Instrument", "network": "MasterCard", "type": "debit"],
    ]

    private func order(
        _ reference: String, amount: Int = 10_000, currency: String = "AED", token: JSON = token,
        with extra: JSONObject = [:]
    ) -> JSON {
        var order: JSONObject = [
            "command": "PURCHASE", "merchant_reference": .string(reference), "amount": JSON(amount),
            "currency": .string(currency), "language": "en", "customer_email": "sara@example.com", "token": token,
        ]
        for member in extra.members { order[member.name] = member.value }
        return .object(order)
    }

    @Test("two orders with the Simulator's token are both paid, each with its own amount, and their receipts say it")
    func eachOrderIsPaid() async throws {
        let development = try await RunningDevelopment()
        let first = try await development.post("/v1/payments", order("ORDER-1"))
        let second = try await development.post("/v1/payments", order("ORDER-2", amount: 12_340, currency: "KWD"))
        for answer in [first, second] {
            #expect(answer.status == 200 && answer.outcome == "captured")
            let receipt = try PaymentDocument(parsing: answer.body)
            #expect(receipt.isSimulated && receipt.json.encoded() == answer.body)
            #expect(answer.json?["payment_option"] == "MASTERCARD")
        }
        let books = try await development.orders()
        #expect(books.map { $0["amount"] } == [10_000, 12_340])
        #expect(books.map { $0["currency"] } == ["AED", "KWD"])
        let view = try await development.get("/v1/payments/ORDER-1").json
        #expect(view?["simulated"] == true)
        #expect(view?["apple_transaction_identifier"] == "Simulated Identifier")
    }

    @Test("the same request with the Simulator's token gets the same bytes, and is charged once")
    func theSameRequestIsReplayed() async throws {
        let development = try await RunningDevelopment()
        let first = try await development.post("/v1/payments", order("ORDER-1"))
        // The form of the token does not make it another request.
        for token in [
            Self.token, ["paymentData": [:], "transactionIdentifier": "Simulated Identifier"], ["token": ""],
        ] {
            let again = try await development.post("/v1/payments", order("ORDER-1", token: token))
            #expect(again.status == 200 && again.body == first.body)
            #expect(again.header("Idempotent-Replayed") == "true")
        }
        let other = try await development.post("/v1/payments", order("ORDER-1", amount: 10_001))
        #expect(other.status == 422 && other.problem == "reference-taken")
        #expect(other.json?["detail"]?.stringValue?.contains("another request body: amount differs.") == true)
        let minted = try await development.post("/_dev/tokens", ["amount": "100.00", "currency": "AED"])
        let real = try await development.post("/v1/payments", order("ORDER-1", token: try #require(minted.json)))
        #expect(real.status == 422 && real.problem == "reference-taken")
        #expect(real.json?["detail"]?.stringValue?.contains("another request body: token differs.") == true)
        #expect(try await development.orders().map { $0["charge_requests"] } == [1])
    }

    @Test("of requests at the same time with the Simulator's token, one charges")
    func concurrentRequestsChargeOnce() async throws {
        let development = try await RunningDevelopment()
        let answers = try await withThrowingTaskGroup { group in
            for _ in 1...8 {
                group.addTask { try await development.post("/v1/payments", order("ORDER-1")) }
            }
            return try await group.reduce(into: [OutboundAnswer]()) { $0.append($1) }
        }
        for answer in answers { #expect(answer.outcome == "captured" || answer.problem == "in-flight") }
        #expect(Set(answers.filter { $0.status == 200 }.map(\.body)).count == 1)
        #expect(try await development.orders().map { $0["charge_requests"] } == [1])
    }

    @Test("an outcome that is open or declined is simulated too")
    func everyReceiptSaysIt() async throws {
        let development = try await RunningDevelopment()
        let declined = try await development.post("/v1/payments", order("ORDER-1", amount: 10_012))
        #expect(declined.outcome == "declined" && declined.json?["simulated"] == true)
        let uncertain = try await development.post("/v1/payments", order("ORDER-2", amount: 15_777))
        #expect(uncertain.status == 202 && uncertain.json?["simulated"] == true)
        try await development.program.wait(for: "the outcome") {
            let view = try await development.get("/v1/payments/ORDER-2")
            return view.outcome == "captured" && view.json?["simulated"] == true
        }
    }

    @Test("the order's mistakes are named, and the hash of its application data is in the minted token")
    func theOrderIsChecked() async throws {
        let development = try await RunningDevelopment()
        let wrong = try await development.post(
            "/v1/payments", order("ORDER-1", currency: "XXX", with: ["colour": "red"]))
        #expect(wrong.status == 400)
        #expect(Set(wrong.faultyFields) == ["currency", "colour"])
        let hash = JSON.string(String(repeating: "ab", count: 32))
        let paid = try await development.post(
            "/v1/payments", order("ORDER-2", with: ["application_data_hash": hash]))
        #expect(paid.outcome == "captured")
    }

    @Test("a payment with any other token is not called simulated")
    func otherPaymentsAreNotSimulated() async throws {
        let development = try await RunningDevelopment()
        let minted = try await development.post("/_dev/tokens", ["amount": "100.00", "currency": "AED"])
        let paid = try await development.post("/v1/payments", order("ORDER-1", token: try #require(minted.json)))
        #expect(paid.outcome == "captured")
        #expect(paid.json?["simulated"] == nil)
        // A client cannot set this member.
        let named = try await development.post(
            "/v1/payments", order("ORDER-2", token: try #require(minted.json), with: ["simulated": "true"]))
        #expect(named.status == 400 && named.faultyFields == ["simulated"])
    }

    @Test("payrelay serve refuses the Simulator's token, whatever its FORT is")
    func serveRefusesIt() async throws {
        let relay = try await RunningRelay()
        let answer = try await relay.pay(order("ORDER-1"))
        #expect(answer.status == 422 && answer.problem == "simulator-token")
        #expect(try await relay.sandbox.books().isEmpty)
    }
}
