import ApplePayToken
import PayrelayPrimitives
import Testing

@testable import FortAPI

struct ApplePayRequestTests {
    private func errors(_ changes: [String: String], token: PaymentToken? = nil) throws -> [ValidationError] {
        FortRequest.errors(in: Samples.order.merging(changes) { $1 }, token: try token ?? Samples.token())
    }

    @Test func carriesTheOrderAndTheToken() throws {
        let request = try Samples.request(["customer_name": "Sara", "eci": "ECOMMERCE"])
        #expect(request.command == .purchase)
        #expect(request.parameters["digital_wallet"] == "APPLE_PAY")
        #expect(request.parameters["customer_name"] == "Sara")
        #expect(request.parameters["apple_data"] == "CANARY/DATA+")
        #expect(request.parameters["apple_header"]?["apple_transactionId"] == "ee0c2dca4a")
        #expect(request.parameters["apple_paymentMethod"]?["apple_type"] == "debit")
        #expect(request.parameters["apple_applicationData"] == nil)
        #expect(try Samples.request(["command": "AUTHORIZATION"]).command == .authorization)
    }

    @Test func sendsApplicationDataAtTheTop() throws {
        let data = HexText(encoding: Array(repeating: 0xA1, count: 32))
        let request = try FortRequest(order: Samples.order, token: Samples.token(applicationData: data))
        #expect(request.parameters["apple_applicationData"] == .string(data.text))
        #expect(request.parameters["apple_header"]?["apple_applicationData"] == nil)
    }

    @Test func everyFieldOfTheTokenHasItsPart() {
        #expect(TokenParameter.fields.map(\.field.name) == FortField.ofToken.map(\.name))
    }

    @Test func namesEveryErrorAtOnce() throws {
        let named = try errors([
            "currency": "ZZZ", "language": "fr", "customer_email": "nobody", "amount": "10.5", "command": "REFUND",
            "amonut": "1",
        ]).map(\.field)
        #expect(named == ["command", "amount", "currency", "language", "customer_email", "amonut"])
    }

    @Test(arguments: ["access_code", "signature", "digital_wallet", "apple_data", "sdk_token", "remember_me", "token"])
    func refusesUnknownFields(name: String) throws {
        #expect(
            try errors([name: "x"]) == [ValidationError(field: name, detail: "is not a field of an Apple Pay order")])
    }

    @Test func namesEveryMissingPartOfTheToken() throws {
        let token = try Samples.token(method: ["network": ""])
        let missing = ["apple_displayName", "apple_network", "apple_type"]
        let named = try errors([:], token: token)
        #expect(named.map(\.field) == missing && token.fortErrors.map(\.field) == missing)
        #expect(named[0].detail.hasPrefix("is missing: FORT demands it, and the app's library drops it"))
        #expect(named[1].detail == "is missing")
        #expect(named[2].detail.contains("@fresha/capacitor-plugin-applepay drops it; see docs/app-libraries.md"))
        #expect(throws: ValidationErrors.self) { try FortRequest(order: Samples.order, token: token) }
    }

    @Test func refusesAControlCharacterInTheToken() throws {
        let token = try Samples.token(method: ["displayName": "Visa\n0492", "network": "Visa", "type": "debit"])
        #expect(try errors([:], token: token).map(\.field) == ["apple_displayName"])
    }

    @Test func sendsACardsNameWithoutMarksOfDirection() throws {
        let method: JSONObject = [
            "displayName": "\u{200F}فيزا \u{2066}0492\u{2069}\u{202C}", "network": "Visa", "type": "debit",
        ]
        let token = try Samples.token(method: method)
        #expect(try errors([:], token: token).isEmpty && token.fortWarnings.isEmpty)
        let request = try FortRequest(order: Samples.order, token: token)
        #expect(request.parameters["apple_paymentMethod"]?["apple_displayName"] == "فيزا 0492")
        let unseen = try Samples.token(method: ["displayName": "\u{200F}", "network": "Visa", "type": "debit"])
        #expect(try errors([:], token: unseen).map(\.field) == ["apple_displayName"])
    }

    @Test(arguments: ["mada", "Mada", "MADA", " mada", "mada\u{A0}", "\t Mada "]) func aMadaCardIsForPurchasesOnly(
        network: String
    ) throws {
        let mada = try Samples.token(
            method: ["displayName": "mada 0492", "network": .string(network), "type": "debit"])
        #expect(try errors(["command": "AUTHORIZATION"], token: mada).map(\.field) == ["command"])
        #expect(try errors(["command": "PURCHASE"], token: mada).isEmpty)
        #expect(try errors(["command": "AUTHORIZATION"]).isEmpty)
        // The request has Apple's spelling, without the spaces around it.
        let request = try FortRequest(order: Samples.order, token: mada)
        #expect(request.parameters["apple_paymentMethod"]?["apple_network"] == .string(network.trimmedOfWhiteSpace))
    }

    @Test func aMadaCardIsAuthorizedForAnAccountForWhichAPSDoesIt() throws {
        let mada = try Samples.token(method: ["displayName": "mada 0492", "network": "mada", "type": "debit"])
        let order = Samples.order.merging(["command": "AUTHORIZATION"]) { $1 }
        #expect(FortRequest.errors(in: order, token: mada, authorizesMada: true).isEmpty)
        #expect(try FortRequest(order: order, token: mada, authorizesMada: true).command == .authorization)
        #expect(throws: ValidationErrors.self) { try FortRequest(order: order, token: mada) }
    }

    @Test(arguments: [("Visa", "VISA"), ("masterCard", "MASTERCARD"), ("AmEx", "AMEX"), ("mada", "MADA")])
    func thePaymentOptionIsComparedWithTheCardAndNotSent(network: String, option: String) throws {
        let token = try Samples.token(
            method: ["displayName": "Card 0492", "network": .string(network), "type": "debit"])
        for other in ["VISA", "MASTERCARD", "AMEX", "MADA"] {
            let named = try errors(["payment_option": other], token: token)
            #expect(named.map(\.field) == (other == option ? [] : ["payment_option"]))
        }
        let order = Samples.order.merging(["payment_option": option, "token_name": "Op9Vmp"]) { $1 }
        let request = try FortRequest(order: order, token: token)
        #expect(request.parameters["payment_option"] == nil && request.parameters["token_name"] == "Op9Vmp")
        #expect(try errors(["payment_option": "", "token_name": ""], token: token).isEmpty)
        #expect(try errors(["payment_option": "KNET"], token: token).map(\.field).contains("payment_option"))
    }

    @Test func visaInThreeDecimalsMustEndInZero() throws {
        let mada = try Samples.token(method: ["displayName": "mada 0492", "network": "Mada", "type": "debit"])
        #expect(try errors(["currency": "KWD", "amount": "10005"]).map(\.field) == ["amount"])
        #expect(try errors(["currency": "KWD", "amount": "10010"]).isEmpty)
        #expect(try errors(["currency": "AED", "amount": "10005"]).isEmpty)
        #expect(try errors(["currency": "KWD", "amount": "10005"], token: mada).isEmpty)
    }
}
