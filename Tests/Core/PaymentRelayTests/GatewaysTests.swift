import ApplePayToken
import JournalContract
import PayrelayPrimitives
import Testing

@testable import PaymentRelay

/// The choice of the merchant's account for an order, and of the gateway for a payment.
@Suite struct GatewaysTests {
    private static func gateways(_ accounts: [(String, [(String, [String])])]) throws -> Gateways {
        try Gateways(
            accounts.map { name, accounts in
                NamedGateway(
                    name: name,
                    accounts: accounts.map {
                        GatewayAccount(
                            name: $0, merchantIdentifier: "M-\($0)",
                            currencies: Set($1.compactMap(Currency.init(code:))))
                    })
            }, vocabulary: .sample)
    }

    private func prepared(_ fields: [String: String], _ gateways: Gateways) throws -> String {
        let fields = ["command": "PURCHASE", "merchant_reference": "A", "amount": "100"].merging(fields) { $1 }
        let charge = try gateways.prepare(fields, with: try .unsigned(1))
        return "\(charge.gateway) \(charge.order.account ?? "")"
    }

    @Test(
        "an order goes to the account that it names, then to the one that lists its currency, then to the first",
        arguments: [
            (["currency": "SAR"], "fort ksa"), (["currency": "UAH"], "portmone shop"),
            (["currency": "AED"], "fort uae"),
            (["currency": "AED", "account": "shop"], "portmone shop"),
            (["currency": "UAH", "account": "uae"], "fort uae"),
        ])
    func choice(fields: [String: String], chosen: String) throws {
        let gateways = try Self.gateways([
            ("fort", [("uae", []), ("ksa", ["SAR", "QAR"])]), ("portmone", [("shop", ["UAH"])]),
        ])
        #expect(try prepared(fields, gateways) == chosen)
    }

    @Test("an order without an account is refused with the accounts' names and its other mistakes")
    func noAccount() throws {
        let gateways = try Self.gateways([("fort", [("uae", ["AED"])]), ("portmone", [("shop", ["UAH"])])])
        for (fields, detail) in [
            (["currency": "USD"], "is missing: no account is for this currency; there are uae, shop"),
            (["currency": "AED", "account": "egypt"], "must be one of uae, shop"),
        ] {
            let error = #expect(throws: ValidationErrors.self) { try prepared(fields, gateways) }
            #expect(error?.errors == [ValidationError(field: "account", detail: detail)])
            #expect(gateways.validationErrors(in: fields).map(\.field) == ["account"])
        }
        let error = #expect(throws: ValidationErrors.self) {
            try prepared(["currency": "USD", "amount": "x"], gateways)
        }
        #expect(error?.errors.map(\.field) == ["amount", "account"])
    }

    @Test("a reference that no URL of the API can name is refused, whichever gateway would take it")
    func dotSegments() throws {
        let gateways = try Self.gateways([("fort", [("uae", ["AED"])]), ("portmone", [("shop", ["UAH"])])])
        for (reference, currency) in [(".", "AED"), ("..", "AED"), (".", "UAH"), ("..", "UAH")] {
            let fields = ["merchant_reference": reference, "currency": currency]
            let error = #expect(throws: ValidationErrors.self) { try prepared(fields, gateways) }
            #expect(error?.errors.map(\.field) == ["merchant_reference"])
            let recurring = #expect(throws: ValidationErrors.self) { try gateways.prepareRecurring(fields) }
            #expect(recurring?.errors.map(\.field) == ["merchant_reference"])
            #expect(gateways.validationErrors(in: fields).map(\.field) == ["merchant_reference"])
        }
        #expect(try prepared(["merchant_reference": "...", "currency": "AED"], gateways) == "fort uae")
    }

    @Test("accounts of which it would not be clear which to take are refused, whichever gateways they are at")
    func ambiguous() throws {
        #expect(throws: AccountsError.none) { try Self.gateways([]) }
        #expect(throws: AccountsError.none) { try Self.gateways([("fort", []), ("portmone", [("a", [])])]) }
        #expect(throws: AccountsError.repeatedName("a")) {
            try Self.gateways([("fort", [("a", [])]), ("portmone", [("a", [])])])
        }
        #expect(throws: AccountsError.repeatedCurrency("AED")) {
            try Self.gateways([("fort", [("a", ["AED"])]), ("portmone", [("b", ["UAH", "AED"])])])
        }
    }

    @Test("queries and operations go to the gateway that charged, or nowhere")
    func laterRequests() async throws {
        let gateways = try Self.gateways([("fort", [("uae", [])]), ("portmone", [("shop", [])])])
        for (name, account, asked) in [("portmone", "shop", "portmone"), ("gone", "old", nil)] {
            let payment = Payment(
                merchantReference: "A", command: .purchase, amount: 100, currency: "AED", fingerprint: nil,
                appleTransactionIdentifier: nil, claimedAt: .wholeSecond, gateway: name, account: account)
            switch await gateways.status(of: payment).report {
            case .answered(let answer): #expect(answer.reference == asked)
            case .notSent(let reason): #expect(asked == nil && reason == "gone is not configured")
            case .unknown: Issue.record("it was asked, and did not answer")
            }
            #expect(gateways.account(of: payment) == (asked == nil ? nil : account))
        }
    }

    @Test("an account takes the currencies that it lists, or any")
    func currencies() throws {
        let gateways = try Self.gateways([("fort", [("uae", ["AED"])]), ("portmone", [("shop", [])])])
        #expect(gateways.account("uae", takes: "AED") && !gateways.account("uae", takes: "UAH"))
        #expect(gateways.account("shop", takes: "UAH"))
        #expect(!gateways.account("shop", takes: "???") && !gateways.account("none", takes: "AED"))
    }
}

/// A gateway that reports its name.
private struct NamedGateway: Gateway {
    let name: String
    let accounts: [GatewayAccount]

    func prepare(
        _ fields: [String: String], account: String, with token: PaymentToken
    ) throws(ValidationErrors) -> any PreparedCharge {
        guard let order = Order(fields, account: account) else {
            throw ValidationErrors([ValidationError(field: "amount", detail: "cannot be read")])
        }
        return NamedCharge(gateway: name, order: order, token: token)
    }

    func prepareRecurring(
        _ fields: [String: String], account: String
    ) throws(ValidationErrors) -> any PreparedCharge {
        throw ValidationErrors([])
    }

    func validationErrors(in fields: [String: String]) -> [ValidationError] { [] }

    func perform(
        _ payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) async -> Outcome<GatewayAnswer> { await status(of: payment) }

    func validationErrors(
        in payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) -> [ValidationError] { [] }

    func status(of payment: Payment) async -> Outcome<GatewayAnswer> {
        .answered(GatewayAnswer(meaning: .captured, reference: name, summary: [:], response: [:]))
    }

    func status(of merchantReference: String, account: String) async -> Outcome<GatewayAnswer> {
        .answered(GatewayAnswer(meaning: .captured, reference: name, summary: [:], response: [:]))
    }
}

private struct NamedCharge: PreparedCharge {
    let gateway: String
    let order: Order
    let token: PaymentToken?

    func send() async -> Outcome<GatewayAnswer> { .unknown(reason: "nothing is sent") }
}
