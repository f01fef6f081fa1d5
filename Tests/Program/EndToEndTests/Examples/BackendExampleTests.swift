import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// Examples/backend with a relay: an app orders, pays, and gets the goods.
@Suite(.enabled(if: ExampleProgram.isOnThePath("node"), "node is not on the PATH"))
struct BackendExampleTests {
    @Test("An app gets a token for its order and pays, and the goods are shipped once")
    func anOrderIsPaidAndShipped() async throws {
        let place = try await RunningBackend.Place()
        let relay = try await RunningRelay(place.relay)
        var backend = try await RunningBackend(place)
        let reference = try await backend.order()
        let token = try await backend.token(of: reference)
        #expect(try await !backend.isShipped(reference))
        let paid = try await relay.pay(Orders.phoneBody(reference, amount: 16_500).json, bearing: token)
        #expect(paid.outcome == "captured", "\(paid.json ?? .null)")
        try await backend.program.wait(for: "the shipment") { try await backend.isShipped(reference) }
        // The backend's actions are stored on the disk: it ships nothing twice, even if the event comes again.
        backend.program.signal(SIGKILL)
        try await backend.program.end()
        backend = try await RunningBackend(place)
        let resent = try await RunningProgram.run(
            ["events", "resend", reference], environment: relay.environment)
        #expect(resent.status == 0)
        try await relay.program.wait(for: "the acknowledgement") {
            try await relay.metric(#"payrelay_event_attempts_total{result="acknowledged"}"#) == 2
        }
        #expect(try await backend.isShipped(reference) && backend.shipments(of: reference) == 0)
    }

    @Test("Goods are shipped even if the backend was down while they were paid for")
    func aPaymentIsNotLostWhileTheBackendIsDown() async throws {
        let place = try await RunningBackend.Place()
        let relay = try await RunningRelay(place.relay)
        var backend = try await RunningBackend(place)
        let reference = try await backend.order()
        let token = try await backend.token(of: reference)
        backend.program.signal(SIGKILL)
        try await backend.program.end()
        let paid = try await relay.pay(Orders.phoneBody(reference, amount: 16_500).json, bearing: token)
        #expect(paid.outcome == "captured")
        try await relay.program.wait(for: "an attempt") {
            try await relay.metric(#"payrelay_event_attempts_total{result="unanswered"}"#) ?? 0 > 0
        }
        // A line that a crash has cut off was never answered.
        let file = try FileHandle(forWritingTo: place.folder.url.appending(path: "orders.jsonl"))
        try file.seekToEnd()
        try file.write(contentsOf: Data(#"{"order":{"merch"#.utf8))
        backend = try await RunningBackend(place)
        try await backend.program.wait(for: "the shipment") { try await backend.isShipped(reference) }
        #expect(backend.shipments(of: reference) == 1)
    }

    @Test("No client names an amount: neither to the backend nor to the relay")
    func noClientNamesAnAmount() async throws {
        let place = try await RunningBackend.Place()
        let relay = try await RunningRelay(place.relay)
        let backend = try await RunningBackend(place)
        let priced = try await backend.post(
            "/orders", #"{"items": {"coffee": 1}, "amount": 1, "currency": "IDR", "shipped": true}"#)
        #expect(priced.status == 201 && priced.json?["amount"] == 4_500 && priced.json?["currency"] == "AED")
        let reference = try await backend.order()
        let token = try await backend.token(of: reference)
        let cheap = try await relay.pay(Orders.phoneBody(reference, amount: 1).json, bearing: token)
        #expect(cheap.status == 403 && cheap.faultyFields == ["amount"])
        let others = try await relay.pay(
            Orders.phoneBody("ORDER-1", amount: 16_500).json, bearing: token)
        #expect(others.status == 403 && others.faultyFields == ["merchant_reference"])
        #expect(try await relay.sandbox.books().isEmpty)
        #expect(try await backend.post("/orders/ORDER-1/token").status == 404)
        #expect(try await backend.get("/orders/ORDER-1").status == 404)
    }

    @Test("A client chooses the shipping method, and the backend its price: the token pins the total")
    func shippingMethods() async throws {
        let place = try await RunningBackend.Place()
        let relay = try await RunningRelay(place.relay)
        let backend = try await RunningBackend(place)
        let reference = try await backend.order()
        let pickup = try await backend.token(of: reference)
        func choose(_ body: String) async throws -> OutboundAnswer {
            try await backend.post("/orders/\(reference)/token", body)
        }
        for body in [
            #"{"shipping": "drone"}"#, #"{"shipping": 1}"#, #"{"shipping": null}"#, #"{"shipping": "__proto__"}"#,
        ] {
            #expect(try await choose(body).status == 400)
        }
        let chosen = try await choose(#"{"shipping": "courier", "amount": 1}"#)
        #expect(chosen.json?["amount"] == 18_000)
        let methods = try await backend.get("/orders/\(reference)").json?["shipping_methods"]?.arrayValue
        #expect(methods?.map { $0["id"] } == ["courier", "pickup"])
        // The earlier token pins the earlier price.
        let other = try await relay.pay(Orders.phoneBody(reference, amount: 18_000).json, bearing: pickup)
        #expect(other.status == 403 && other.faultyFields == ["amount"])
        let token = chosen.json?["order_token"]?.stringValue ?? ""
        let paid = try await relay.pay(Orders.phoneBody(reference, amount: 18_000).json, bearing: token)
        #expect(paid.outcome == "captured", "\(paid.json ?? .null)")
        try await backend.program.wait(for: "the shipment") { try await backend.isShipped(reference) }
        #expect(try await choose(#"{"shipping": "pickup"}"#).status == 409)
        #expect(try await choose(#"{"shipping": "courier"}"#).json?["amount"] == 18_000)
    }

    @Test("An order is shipped as was paid for, also by a token of before another choice")
    func anEarlierToken() async throws {
        let place = try await RunningBackend.Place()
        let relay = try await RunningRelay(place.relay)
        let backend = try await RunningBackend(place)
        let reference = try await backend.order()
        let pickup = try await backend.token(of: reference)
        let chosen = try await backend.post("/orders/\(reference)/token", #"{"shipping": "courier"}"#)
        #expect(chosen.json?["amount"] == 18_000)
        let paid = try await relay.pay(Orders.phoneBody(reference, amount: 16_500).json, bearing: pickup)
        #expect(paid.outcome == "captured", "\(paid.json ?? .null)")
        try await backend.program.wait(for: "the shipment") { try await backend.isShipped(reference) }
        let order = try await backend.get("/orders/\(reference)").json
        #expect(order?["shipping"] == "pickup" && order?["amount"] == 16_500)
    }

    @Test(
        "A body that is not an order for these products is refused",
        arguments: [
            "", "null", "[]", "{}", #"{"items": {}}"#, #"{"items": {"gold": 1}}"#, #"{"items": {"coffee": 0}}"#,
            #"{"items": {"coffee": -1, "cup": 1}}"#, #"{"items": {"coffee": 0.5}}"#, #"{"items": {"coffee": "1"}}"#,
            #"{"items": {"coffee": 11}}"#, #"{"items": {"__proto__": 1}}"#, #"{"items": {"constructor": 1}}"#,
            #"{"items": "coffee"}"#,
        ])
    func malformedOrders(body: String) async throws {
        let backend = try await RunningBackend(RunningBackend.Place())
        #expect(try await backend.post("/orders", body).status == 400)
    }

    @Test("An event that the relay did not sign, or not now, ships nothing")
    func forgedAndOldEvents() async throws {
        let place = try await RunningBackend.Place()
        let backend = try await RunningBackend(place)
        let reference = try await backend.order()
        let event = SignedEvent("evt_1", reference)
        let genuine = event.headers(by: place.secret)
        let forged: [[(name: String, value: String)]] = [
            [], event.headers(by: String(place.secret.reversed())), event.headers(by: ""),
            event.headers(by: place.secret, age: 301), event.headers(by: place.secret, age: -900),
            SignedEvent("evt_2", reference).headers(by: place.secret),
            genuine.map { $0.name == "webhook-signature" ? ($0.name, $0.value.replacing("v1,", with: "v2,")) : $0 },
            genuine.map { $0.name == "webhook-timestamp" ? ($0.name, "NaN") : $0 },
            genuine.map { $0.name == "webhook-signature" ? ($0.name, "v1,") : $0 },
        ]
        for headers in forged { #expect(try await backend.post("/events", event.body, headers: headers).status == 401) }
        let altered = event.body.replacing(reference, with: try await backend.order())
        #expect(try await backend.post("/events", altered, headers: genuine).status == 401)
        #expect(try await !backend.isShipped(reference))
        #expect(try await backend.post("/events", event.body, headers: event.headers(by: place.secret)).status == 200)
        try await backend.program.wait(for: "the shipment") { try await backend.isShipped(reference) }
    }

    @Test("A replayed event ships nothing again, and one of another price, account, order or outcome ships nothing")
    func replayedAndForeignEvents() async throws {
        let place = try await RunningBackend.Place()
        let backend = try await RunningBackend(place)
        let reference = try await backend.order()
        func send(_ event: SignedEvent) async throws -> Int {
            try await backend.post("/events", event.body, headers: event.headers(by: place.secret)).status
        }
        #expect(try await send(SignedEvent("evt_1", reference, amount: 1)) == 200)
        #expect(try await send(SignedEvent("evt_2", reference, currency: "IDR")) == 200)
        #expect(try await send(SignedEvent("evt_3", "ORDER-of-another-shop")) == 200)
        #expect(try await send(SignedEvent("evt_other_account", reference, account: "jordan")) == 200)
        #expect(try await send(SignedEvent("evt_no_account", reference, account: nil)) == 200)
        #expect(try await send(SignedEvent("evt_unproven", reference, unproven: ["currency"])) == 200)
        for outcome in ["declined", "authorized", "not_processed", "voided", "a_later_outcome"] {
            #expect(try await send(SignedEvent("evt_\(outcome)", reference, outcome: outcome)) == 200)
        }
        #expect(try await !backend.isShipped(reference))
        for _ in 0..<3 { #expect(try await send(SignedEvent("evt_4", reference)) == 200) }
        #expect(try await send(SignedEvent("evt_5", reference)) == 200)
        #expect(try await backend.isShipped(reference) && backend.shipments(of: reference) == 1)
    }

    @Test("A body beyond its limit is refused, and the backend goes on")
    func largeBodies() async throws {
        let backend = try await RunningBackend(RunningBackend.Place())
        let large = String(repeating: "x", count: 70_000)
        #expect(try await backend.post("/orders", large).status == 413)
        #expect(try await backend.post("/events", "x").status == 401)
        #expect(try await backend.get("/products").json?["products"]?["coffee"]?["amount"] == 4_500)
    }
}
