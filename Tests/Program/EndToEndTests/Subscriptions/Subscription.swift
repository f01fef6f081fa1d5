import Foundation
import FoundationNetworking
import OutboundHTTP
import PayrelayPrimitives
import Testing

/// The data of a subscription's first payment that later payments need.
struct Subscription {
    let tokenName: String
    let agreementID: String

    /// Pays the first month with Apple Pay.
    ///
    /// - Parameter members: Members in addition to an order's, or in their place.
    static func begin(
        at relay: RunningRelay, _ reference: String = Orders.reference(), _ members: KeyValuePairs<String, JSON?> = [:]
    ) async throws -> (subscription: Subscription, receipt: JSON) {
        var order = try Orders.body(reference)
        order["recurring_mode"] = "UNSCHEDULED"
        order["customer_name"] = "Sara Ahmad"
        let answer = try await relay.pay(order.with(members))
        let receipt = try #require(answer.json)
        return (try Subscription(of: receipt), receipt)
    }

    /// - Parameter answer: A receipt of the relay, or an answer of FORT.
    init(of answer: JSON) throws {
        tokenName = try #require(answer["token_name"]?.stringValue, "\(answer)")
        agreementID = try #require(answer["agreement_id"]?.stringValue)
    }

    /// Returns the body of `POST /v1/recurring-payments`.
    func body(_ reference: String = Orders.reference(), amount: Int = 4_900) -> JSONObject {
        [
            "merchant_reference": .string(reference), "amount": JSON(amount), "currency": "AED", "language": "en",
            "customer_email": "sara@example.com", "token_name": .string(tokenName),
            "agreement_id": .string(agreementID),
        ]
    }
}

extension RunningRelay {
    func payRecurring(
        _ body: JSON, idempotencyKey: String? = nil, headers: [(name: String, value: String)] = []
    ) async throws -> OutboundAnswer {
        let key = idempotencyKey.map { [(name: "Idempotency-Key", value: $0)] } ?? []
        return try await post("/v1/recurring-payments", body.encoded(), headers: headers + key)
    }
}

extension RunningSandbox {
    /// Ends an agreement on recurring payments.
    func end(agreement identifier: String) async throws -> Int {
        let url = settings["PAYRELAY_FORT_ENDPOINT", default: ""]
            .replacing("/FortAPI/paymentApi", with: "/_sandbox/agreements/\(identifier)")
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = "DELETE"
        request.timeoutInterval = 300
        return try #require(try await URLSession.shared.data(for: request).1 as? HTTPURLResponse).statusCode
    }
}
