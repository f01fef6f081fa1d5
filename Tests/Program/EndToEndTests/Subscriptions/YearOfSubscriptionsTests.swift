import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Testing

/// A backend that charges its subscribers each month, against a FORT that loses requests and answers.
@Suite struct YearOfSubscriptionsTests {
    @Test("R9, R10: a year of subscriptions at a faulty FORT is charged once a month", .timeLimit(.minutes(25)))
    func eachMonthIsChargedOnce() async throws {
        let backend = try EventBackend(answering: 200)
        let settings = [
            "PAYRELAY_EVENTS_URL": backend.url,
            "PAYRELAY_EVENTS_SECRET": "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldY",
        ]
        // This relay has more time, so that the first month does not fail if FORT takes a second.
        let patient = try await RunningRelay(settings)
        var subscribers: [Subscriber] = []
        for number in 1...6 {
            let name = "SUB\(number)-\(Int.random(in: 1_000...9_999))"
            let (subscription, _) = try await Subscription.begin(at: patient, "\(name)-01")
            subscribers.append(Subscriber(name: name, subscription: subscription))
        }
        patient.program.signal(SIGTERM)
        try await patient.program.end()
        let relay = try await RunningRelay(
            after: patient,
            settings.merging(["PAYRELAY_FORT_TIMEOUT_SECONDS": "1", "PAYRELAY_NOT_FOUND_AFTER_SECONDS": "2"]) { $1 })
        try await relay.waitUntilVerified()
        try await relay.sandbox.set(
            "faults",
            [
                "seed": JSON(Int.random(in: 1...1_000_000)),
                "faults": [
                    // The first three faults always strike, even if there are few requests.
                    ["fault": "charge_and_never_answer", "command": "PURCHASE", "count": 2],
                    ["fault": "never_answer", "command": "PURCHASE", "count": 2],
                    ["fault": "http_500", "command": "PURCHASE", "count": 2],
                    ["fault": "charge_and_never_answer", "command": "PURCHASE", "probability": .number("0.12")],
                    ["fault": "never_answer", "command": "PURCHASE", "probability": .number("0.08")],
                    ["fault": "http_500", "command": "PURCHASE", "probability": .number("0.08")],
                    ["fault": "reset", "command": "PURCHASE", "probability": .number("0.05")],
                    ["fault": "wrong_signature", "command": "PURCHASE", "probability": .number("0.05")],
                    ["fault": "http_500", "command": "CHECK_STATUS", "probability": .number("0.1")],
                    ["fault": "never_answer", "command": "CHECK_STATUS", "probability": .number("0.05")],
                ],
            ])
        try await withThrowingTaskGroup { group in
            for subscriber in subscribers { group.addTask { try await subscriber.payTheYear(at: relay) } }
            try await group.waitForAll()
        }

        let struck = try await relay.sandbox.shown("faults")["faults"]?.arrayValue ?? []
        for rule in struck.prefix(3) { #expect(rule["struck"] == 2, "\(rule)") }
        var charged: [String: Int] = [:]
        for order in try await relay.sandbox.books() where order["charged"] == true {
            #expect(order["charge_requests"] == 1)
            charged[String((order["merchant_reference"]?.stringValue ?? "").prefix { $0 != "." }), default: 0] += 1
        }
        let months = subscribers.flatMap { subscriber in (1...12).map { subscriber.month($0) } }
        for month in months { #expect(charged[month] == 1, "\(month) was charged \(charged[month] ?? 0) times") }
        #expect(charged.count == months.count)

        try await relay.program.wait(for: "every event") {
            Set(backend.deliveries.compactMap(Self.capturedMonth)).count == months.count
        }
        #expect(Set(backend.deliveries.compactMap(Self.capturedMonth)) == Set(months))
    }

    /// Returns the month that an event reports as paid.
    private static func capturedMonth(of delivery: EventBackend.Delivery) -> String? {
        guard let event = try? JSON(parsing: delivery.body), event["type"] == "payment.captured" else { return nil }
        return (event["merchant_reference"]?.stringValue).map { String($0.prefix { $0 != "." }) }
    }
}

/// A subscriber whose charges are made as a careful backend makes them. A month's payment is repeated until its outcome is
/// known. It is made anew, under another reference, only if FORT is known not to have it.
private struct Subscriber {
    let name: String
    let subscription: Subscription

    func month(_ number: Int) -> String { "\(name)-\(number < 10 ? "0" : "")\(number)" }

    /// Pays the other months of the year. The first month is already paid.
    func payTheYear(at relay: RunningRelay) async throws {
        for number in 2...12 {
            var attempt = 1
            while try await pay(month(number) + (attempt == 1 ? "" : ".\(attempt)"), at: relay) != "captured" {
                attempt += 1
                try #require(attempt < 20)
            }
        }
    }

    private func pay(_ reference: String, at relay: RunningRelay) async throws -> String? {
        let body = subscription.body(reference).json
        let first = try await relay.payRecurring(body)
        try #require([200, 202].contains(first.status), "\(first.json ?? .null)")
        // A query that fails is repeated after a pause that doubles, so several failures in a row take minutes.
        let outcome = try await relay.finalOutcome(of: reference)
        // A second run of the same job changes nothing.
        let again = try await relay.payRecurring(body)
        #expect(again.header("Idempotent-Replayed") == "true" && again.outcome == outcome)
        return outcome
    }
}
