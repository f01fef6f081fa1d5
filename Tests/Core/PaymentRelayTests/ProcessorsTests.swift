import ApplePayToken
import JournalContract
import PayrelayPrimitives
import Testing

@testable import PaymentRelay

/// Which of the merchant's accounts has an order, and which processor has a payment.
@Suite struct ProcessorsTests {
    private static func processors(_ accounts: [(String, [(String, [String])])]) throws -> Processors {
        try Processors(
            accounts.map { name, accounts in
                NamedProcessor(
                    name: name,
                    accounts: accounts.map {
                        ProcessorAccount(
                            name: $0, merchantIdentifier: "M-\($0)",
                            currencies: Set($1.compactMap(Currency.init(code:))))
                    })
            }, vocabulary: .sample)
    }

    private func prepared(_ fields: [String: String], _ processors: Processors) throws -> String {
        let fields = ["command": "PURCHASE", "merchant_reference": "A", "amount": "100"].merging(fields) { $1 }
        let charge = try processors.prepare(fields, with: try .unsigned(1))
        return "\(charge.processor) \(charge.order.account ?? "")"
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
        let processors = try Self.processors([
            ("fort", [("uae", []), ("ksa", ["SAR", "QAR"])]), ("portmone", [("shop", ["UAH"])]),
        ])
        #expect(try prepared(fields, processors) == chosen)
    }

    @Test("an order without an account is refused with the accounts' names, and what else is wrong with it")
    func noAccount() throws {
        let processors = try Self.processors([("fort", [("uae", ["AED"])]), ("portmone", [("shop", ["UAH"])])])
        for (fields, detail) in [
            (["currency": "USD"], "is missing: no account is for this currency; there are uae, shop"),
            (["currency": "AED", "account": "egypt"], "must be one of uae, shop"),
        ] {
            let error = #expect(throws: ValidationErrors.self) { try prepared(fields, processors) }
            #expect(error?.errors == [ValidationError(field: "account", detail: detail)])
            #expect(processors.validationErrors(in: fields).map(\.field) == ["account"])
        }
        let error = #expect(throws: ValidationErrors.self) {
            try prepared(["currency": "USD", "amount": "x"], processors)
        }
        #expect(error?.errors.map(\.field) == ["amount", "account"])
    }

    @Test("a reference that no URL of the API can name is refused, whichever processor would take it")
    func dotSegments() throws {
        let processors = try Self.processors([("fort", [("uae", ["AED"])]), ("portmone", [("shop", ["UAH"])])])
        for (reference, currency) in [(".", "AED"), ("..", "AED"), (".", "UAH"), ("..", "UAH")] {
            let fields = ["merchant_reference": reference, "currency": currency]
            let error = #expect(throws: ValidationErrors.self) { try prepared(fields, processors) }
            #expect(error?.errors.map(\.field) == ["merchant_reference"])
            let recurring = #expect(throws: ValidationErrors.self) { try processors.prepareRecurring(fields) }
            #expect(recurring?.errors.map(\.field) == ["merchant_reference"])
            #expect(processors.validationErrors(in: fields).map(\.field) == ["merchant_reference"])
        }
        #expect(try prepared(["merchant_reference": "...", "currency": "AED"], processors) == "fort uae")
    }

    @Test("accounts of which it would not be clear which to take are refused, whichever gateways they are at")
    func ambiguous() throws {
        #expect(throws: AccountsError.none) { try Self.processors([]) }
        #expect(throws: AccountsError.none) { try Self.processors([("fort", []), ("portmone", [("a", [])])]) }
        #expect(throws: AccountsError.repeatedName("a")) {
            try Self.processors([("fort", [("a", [])]), ("portmone", [("a", [])])])
        }
        #expect(throws: AccountsError.repeatedCurrency("AED")) {
            try Self.processors([("fort", [("a", ["AED"])]), ("portmone", [("b", ["UAH", "AED"])])])
        }
    }

    @Test("questions and operations go to the processor that charged, or nowhere")
    func laterRequests() async throws {
        let processors = try Self.processors([("fort", [("uae", [])]), ("portmone", [("shop", [])])])
        for (name, account, asked) in [("portmone", "shop", "portmone"), ("gone", "old", nil)] {
            let payment = Payment(
                merchantReference: "A", command: .purchase, amount: 100, currency: "AED", fingerprint: nil,
                appleTransactionIdentifier: nil, claimedAt: .wholeSecond, processor: name, account: account)
            switch await processors.status(of: payment) {
            case .answered(let answer): #expect(answer.reference == asked)
            case .notSent(let reason): #expect(asked == nil && reason == "gone is not configured")
            case .unknown: Issue.record("it was asked, and did not answer")
            }
            #expect(processors.account(of: payment) == (asked == nil ? nil : account))
        }
    }

    @Test("an account takes the currencies that it lists, or any")
    func currencies() throws {
        let processors = try Self.processors([("fort", [("uae", ["AED"])]), ("portmone", [("shop", [])])])
        #expect(processors.account("uae", takes: "AED") && !processors.account("uae", takes: "UAH"))
        #expect(processors.account("shop", takes: "UAH"))
        #expect(!processors.account("shop", takes: "???") && !processors.account("none", takes: "AED"))
    }
}

/// A processor that says its name.
private struct NamedProcessor: Processor {
    let name: String
    let accounts: [ProcessorAccount]

    func prepare(
        _ fields: [String: String], account: String, with token: PaymentToken
    ) throws(ValidationErrors) -> any PreparedCharge {
        guard let order = Order(fields, account: account) else {
            throw ValidationErrors([ValidationError(field: "amount", detail: "cannot be read")])
        }
        return NamedCharge(processor: name, order: order, token: token)
    }

    func prepareRecurring(
        _ fields: [String: String], account: String
    ) throws(ValidationErrors) -> any PreparedCharge {
        throw ValidationErrors([])
    }

    func validationErrors(in fields: [String: String]) -> [ValidationError] { [] }

    func perform(
        _ payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) async -> Outcome<ProcessorAnswer> { await status(of: payment) }

    func validationErrors(
        in payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) -> [ValidationError] { [] }

    func status(of payment: Payment) async -> Outcome<ProcessorAnswer> {
        .answered(ProcessorAnswer(meaning: .captured, reference: name, summary: [:], response: [:]))
    }

    func status(of merchantReference: String, account: String) async -> Outcome<ProcessorAnswer> {
        .answered(ProcessorAnswer(meaning: .captured, reference: name, summary: [:], response: [:]))
    }
}

private struct NamedCharge: PreparedCharge {
    let processor: String
    let order: Order
    let token: PaymentToken?

    func send() async -> Outcome<ProcessorAnswer> { .unknown(reason: "nothing is sent") }
}
