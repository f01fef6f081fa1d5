import PayrelayPrimitives
import Testing

@testable import FortAPI

struct ApplePayRequestTests {
    private func errors(_ changes: [String: String], token: AppleParameters = Samples.token) -> [ValidationError] {
        do {
            _ = try ApplePayRequest(order: Samples.order.merging(changes) { $1 }, token: token)
            return []
        } catch {
            return error.errors
        }
    }

    @Test func carriesTheOrderAndTheToken() throws {
        let request = try Samples.request(["customer_name": "Sara", "eci": "ECOMMERCE"])
        #expect(request.command == .purchase)
        #expect(request.parameters["digital_wallet"] == "APPLE_PAY")
        #expect(request.parameters["customer_name"] == "Sara")
        #expect(request.parameters["apple_data"] == .string(Samples.token.data))
        #expect(request.parameters["apple_header"]?["apple_transactionId"] == .string(Samples.token.transactionId))
        #expect(request.parameters["apple_paymentMethod"]?["apple_type"] == "debit")
        #expect(request.parameters["apple_applicationData"] == nil)
        #expect(try Samples.request(["command": "AUTHORIZATION"]).command == .authorization)
    }

    @Test func sendsApplicationDataAtTheTop() throws {
        var token = Samples.token
        token.applicationData = "a1b2"
        let request = try ApplePayRequest(order: Samples.order, token: token)
        #expect(request.parameters["apple_applicationData"] == "a1b2")
        #expect(request.parameters["apple_header"]?["apple_applicationData"] == nil)
    }

    @Test func namesEveryErrorAtOnce() {
        let named = errors([
            "currency": "ZZZ", "language": "fr", "customer_email": "nobody", "amount": "10.5", "command": "REFUND",
            "amonut": "1",
        ]).map(\.field)
        #expect(named == ["command", "amount", "currency", "language", "customer_email", "amonut"])
    }

    @Test(arguments: ["access_code", "signature", "digital_wallet", "apple_data", "settlement_reference", "token"])
    func refusesUnknownFields(name: String) {
        #expect(errors([name: "x"]) == [ValidationError(field: name, detail: "is not a field of an Apple Pay order")])
    }

    @Test func namesEveryMissingPartOfTheToken() {
        var token = Samples.token
        (token.displayName, token.network, token.type) = (nil, "", nil)
        let missing = ["apple_displayName", "apple_network", "apple_type"]
        #expect(errors([:], token: token) == missing.map { ValidationError(field: $0, detail: "is missing") })
        #expect(token.errors.map(\.field) == missing)
    }

    @Test func refusesAControlCharacterInTheToken() {
        var token = Samples.token
        token.displayName = "Visa\n0492"
        #expect(errors([:], token: token).map(\.field) == ["apple_displayName"])
    }

    @Test(arguments: ["mada", "Mada", "MADA", " mada", "mada\u{A0}", "\t Mada "]) func aMadaCardIsForPurchasesOnly(
        network: String
    ) throws {
        var mada = Samples.token
        mada.network = network
        #expect(errors(["command": "AUTHORIZATION"], token: mada).map(\.field) == ["command"])
        #expect(errors(["command": "PURCHASE"], token: mada).isEmpty)
        #expect(errors(["command": "AUTHORIZATION"]).isEmpty)
        // Sent in Apple's spelling, without the spaces around it.
        let request = try ApplePayRequest(order: Samples.order, token: mada)
        #expect(request.parameters["apple_paymentMethod"]?["apple_network"] == .string(FortField.trimmed(network)))
    }

    @Test func visaInThreeDecimalsMustEndInZero() {
        var mada = Samples.token
        mada.network = "Mada"
        #expect(errors(["currency": "KWD", "amount": "10005"]).map(\.field) == ["amount"])
        #expect(errors(["currency": "KWD", "amount": "10010"]).isEmpty)
        #expect(errors(["currency": "AED", "amount": "10005"]).isEmpty)
        #expect(errors(["currency": "KWD", "amount": "10005"], token: mada).isEmpty)
    }
}
