import PayrelayPrimitives
import Testing

@testable import FortAPI

struct RecurringRequestTests {
    private let order = [
        "merchant_reference": "SUB-1", "amount": "4900", "currency": "AED", "language": "en",
        "customer_email": "sara@example.com", "token_name": "Op9Vmp",
    ]

    private func errors(_ changes: [String: String]) -> [ValidationError] {
        do {
            _ = try FortRequest(recurring: order.merging(changes) { $1 })
            return []
        } catch {
            return error.errors
        }
    }

    @Test func isAPurchaseOfAStoredCardWithoutAWallet() throws {
        let request = try FortRequest(recurring: order)
        #expect(request.command == .purchase)
        #expect(
            request.parameters.sortedByName() == [
                "amount": "4900", "command": "PURCHASE", "currency": "AED", "customer_email": "sara@example.com",
                "eci": "RECURRING", "language": "en", "merchant_reference": "SUB-1", "token_name": "Op9Vmp",
            ])
        #expect(errors(["command": "PURCHASE", "eci": "RECURRING"]).isEmpty)
        #expect(!"\(request)".contains("Op9Vmp"))
    }

    /// The SDK's required and optional parameters. The guide's example also has `customer_ip`.
    @Test func hasTheParametersOfAPSsPHPSDK() {
        let required: Set = [
            "command", "merchant_reference", "amount", "currency", "language", "customer_email", "eci", "token_name",
        ]
        let optional: Set = [
            "payment_option", "order_description", "customer_name", "merchant_extra", "merchant_extra1",
            "merchant_extra2", "merchant_extra3", "merchant_extra4", "merchant_extra5", "phone_number",
            "settlement_reference", "agreement_id",
        ]
        let fields = FortField.ofRecurring
        #expect(Set(fields.filter(\.isMandatory).map(\.name)) == required)
        #expect(Set(fields.filter { !$0.isMandatory }.map(\.name)) == optional.union(["customer_ip"]))
        #expect(Set(fields.map(\.name)).count == fields.count)
    }

    @Test func namesEveryErrorAtOnce() {
        let named = errors([
            "command": "AUTHORIZATION", "eci": "ECOMMERCE", "token_name": "", "agreement_id": "AGR4567890123456",
            "payment_option": "KNET", "customer_ip": "x", "amount": "0", "settlement_reference": "a b", "token": "x",
            "digital_wallet": "APPLE_PAY", "recurring_mode": "UNSCHEDULED",
        ])
        #expect(
            named.map(\.field) == [
                "command", "eci", "token_name", "agreement_id", "payment_option", "customer_ip", "amount",
                "settlement_reference", "digital_wallet", "recurring_mode", "token",
            ])
        #expect(named.last?.detail == "is not a field of a recurring payment")
    }

    @Test(arguments: [
        ("token_name", 100), ("agreement_id", 15), ("settlement_reference", 34), ("order_description", 150),
        ("customer_name", 40), ("merchant_extra", 999), ("merchant_extra5", 250), ("merchant_reference", 40),
    ])
    func holdsTheLimits(name: String, limit: Int) {
        #expect(errors([name: String(repeating: "a", count: limit)]).isEmpty)
        #expect(errors([name: String(repeating: "a", count: limit + 1)]).map(\.field) == [name])
    }

    @Test func visaInThreeDecimalsMustEndInZero() {
        let kuwait = ["currency": "KWD", "amount": "10005"]
        #expect(errors(kuwait.merging(["payment_option": "VISA"]) { $1 }).map(\.field) == ["amount"])
        #expect(errors(kuwait).isEmpty)
    }

    /// The signature was computed with PHP 8.2: hash('sha256', ...) over the pairs, sorted by ksort, between two phrases.
    @Test func isSignedOverEveryParameter() throws {
        let account = try FortAccount(
            accessCode: "ACCESS", merchantIdentifier: "MERCHANT", signatureType: .sha256, requestPhrase: Secret("PASS"),
            responsePhrase: Secret("PASS"))
        let order = order.merging(["agreement_id": "AGR123456789", "merchant_extra": "b", "merchant_extra1": "a"]) {
            $1
        }
        let message = FortMessage(signing: try FortRequest(recurring: order), for: account)
        #expect(message.parameters["signature"] == "8c0b28c16793a8939c18dca4fda7e899a3c6f9096302ff0eed2db8bab76422b8")
    }
}
