import FoundationEssentials
import PayrelayPrimitives
import PortmoneAPI
import Testing

@testable import PaymentRelay
@testable import PortmoneModule

/// Answers to `result`, and the core's decisions about them.
@Suite struct StatusTests {
    /// Returns the state of a payment after a query, or the reason why nothing changes.
    private func outcome(
        _ payment: Payment, _ bills: [JSON], now: Date = Samples.now, timeUncertain: Duration = .seconds(86_400)
    ) async throws -> String {
        let report = try await ScriptedPortmone(.array(bills)).status(of: payment, now: now)
        if let implausibility = report.implausibility(for: payment) {
            return "implausible: \(implausibility.kind.rawValue)"
        }
        switch decision(on: payment, report, now: now, timeUncertain: timeUncertain) {
        case .stillOpen: return "open"
        case .unchanged: return "unchanged"
        // A contradiction is added to the history, and nothing else changes.
        case .record(let change) where change.noted.map { $0 != .secondCharge } ?? false:
            return payment.isOpen ? "open" : "unchanged"
        // Only the bill's number is recorded.
        case .record(let change) where change.after.state.isOpen: return "open"
        case .record(let change):
            let operation = change.after.operations.last.map { ", \($0.command.rawValue) \($0.state.rawValue)" } ?? ""
            return
                "\(change.after.state.rawValue) \(change.after.balance.captured)/\(change.after.balance.refunded)\(operation)"
                + (change.contradiction.map { ", \($0.rawValue)" } ?? "")
        }
    }

    private func decision(
        on payment: Payment, _ report: Outcome<GatewayAnswer>, now: Date = Samples.now,
        timeUncertain: Duration = .seconds(86_400)
    ) -> PaymentDecision {
        payment.apply(
            .queried(report, timeUncertain: timeUncertain), on: .at(now),
            patience: NotFoundPatience(charge: .seconds(60), operation: .seconds(3_600)))
    }

    @Test("a purchase that is only held is captured in part, and given back, as an authorization is")
    func heldPurchase() async throws {
        let bill = Samples.bill("PAYED", ["billAmount": "40.00"])
        let capture = Samples.operation(.capture, 4_000)
        #expect(
            try await outcome(Samples.payment(.authorized, operations: [capture], bill: "550298815"), [bill])
                == "partially_captured 4000/0, CAPTURE done")
        let captured = Balance(captured: 4_000)
        #expect(
            try await outcome(Samples.payment(.partiallyCaptured, balance: captured, bill: "550298815"), [bill])
                == "unchanged")
    }

    @Test("R9, S6: one empty list proves nothing, and a second query decides")
    func emptyOnce() async throws {
        let portmone = ScriptedPortmone([], [Samples.bill("PAYED")])
        #expect(try await portmone.status(of: try Samples.payment()).answer?.meaning == .captured)
        #expect(portmone.methods == ["result", "result"])
    }

    @Test("result is queried by the order's number, so that every bill is seen")
    func asked() async throws {
        let portmone = ScriptedPortmone([Samples.bill("PAYED")])
        _ = try await portmone.status(of: try Samples.payment(bill: "550298815"))
        #expect(portmone.methods == ["result"])
        #expect(portmone.requests.first?.data["shopOrderNumber"] == "ORDER-1")
        #expect(portmone.requests.first?.data["shopbillId"] == nil)
    }

    @Test(
        "an uncertain purchase becomes what result proves",
        arguments: [
            ([Samples.bill("PAYED")], "captured 10000/0"), ([Samples.bill("PREAUTH")], "authorized 0/0"),
            ([Samples.bill("REJECTED")], "declined 0/0"), ([], "not_processed 0/0"),
            ([Samples.bill("CREATED")], "open"), ([Samples.bill("SOMETHING")], "open"), ([Samples.bill("")], "open"),
            // The bill does not say how much was returned.
            ([Samples.bill("RETURN")], "open"),
            ([Samples.bill("RETURN", ["billAmount": "-100.00"])], "refunded 10000/10000"),
            ([Samples.bill("RETURN", ["billAmount": "-30.00"])], "partially_refunded 10000/3000"),
            (
                [Samples.bill("PAYED"), Samples.bill("RETURN", ["shopBillId": "8", "billAmount": "-30.00"])],
                "partially_refunded 10000/3000"
            ),
            // R14.
            ([Samples.bill("PAYED", ["billAmount": "99.99"])], "implausible: other_amount"),
            ([Samples.bill("PREAUTH", ["billAmount": "0.01"])], "implausible: other_amount"),
            ([Samples.bill("PAYED", ["billAmount": "100.01"])], "implausible: impossible_totals"),
            ([Samples.bill("PAYED", ["billAmount": "0.00"])], "implausible: impossible_totals"),
            (
                [Samples.bill("PAYED"), Samples.bill("RETURN", ["shopBillId": "8", "billAmount": "-100.01"])],
                "implausible: impossible_totals"
            ),
            // Other payees and orders (R12), and spellings that amounts do not have.
            ([Samples.bill("PAYED", ["shopOrderNumber": "ORDER-2"])], "open"),
            ([Samples.bill("PAYED", ["payee_id": "1186"])], "open"),
            ([Samples.bill("PAYED", ["payee_id": .null])], "open"),
            ([Samples.bill("PAYED", ["shopOrderNumber": .null])], "open"),
            ([Samples.bill("PAYED", ["billCurrency": "USD"])], "open"),
            ([Samples.bill("PAYED", ["billAmount": "100.000"])], "open"),
            ([Samples.bill("PAYED", ["billAmount": .number("1e2")])], "open"),
            ([Samples.bill("PAYED", ["billAmount": "-100.00"])], "open"),
            ([Samples.bill("PAYED"), Samples.bill("REJECTED", ["payee_id": "1186", "shopBillId": "7"])], "open"),
            // The bill is from an earlier attempt with another amount.
            ([Samples.bill("REJECTED", ["billAmount": "1.00"])], "not_processed 0/0"),
            ([Samples.bill("CREATED", ["billAmount": "1.00"])], "not_processed 0/0"),
            // Without money, a bill in another currency shows that nothing was paid, too.
            ([Samples.bill("REJECTED", ["billCurrency": "USD"])], "not_processed 0/0"),
            ([Samples.bill("CREATED", ["billCurrency": "USD"])], "not_processed 0/0"),
            (
                [Samples.bill("PAYED"), Samples.bill("REJECTED", ["billCurrency": "USD", "shopBillId": "7"])],
                "captured 10000/0"
            ),
            (
                [
                    Samples.bill("REJECTED"),
                    Samples.bill("REJECTED", ["billCurrency": "USD", "billAmount": "1.00", "shopBillId": "7"]),
                    Samples.bill("CREATED", ["billAmount": "1.00", "shopBillId": "8"]),
                ], "declined 0/0"
            ),
            // Money in another currency, or an unknown status, leaves the payment open.
            ([Samples.bill("PAYED"), Samples.bill("PREAUTH", ["billCurrency": "USD", "shopBillId": "7"])], "open"),
            ([Samples.bill("SOMETHING", ["billCurrency": "USD"])], "open"),
            (
                [Samples.bill("PAYED"), Samples.bill("REJECTED", ["billAmount": "1.00", "shopBillId": "7"])],
                "captured 10000/0"
            ),
            (
                [Samples.bill("CREATED", ["billAmount": "1.00", "shopBillId": "7"]), Samples.bill("REJECTED")],
                "declined 0/0"
            ),
            // It is not known whether a status without a name means money.
            ([Samples.bill("PAYED"), Samples.bill("SOMETHING", ["billAmount": "-1.00", "shopBillId": "7"])], "open"),
        ] as [([JSON], String)])
    func uncertainPurchase(bills: [JSON], expected: String) async throws {
        #expect(try await outcome(try Samples.payment(), bills) == expected)
    }

    @Test(
        "an authorization is captured as far as result proves",
        arguments: [
            (Samples.bill("PAYED"), "captured 10000/0"),
            (Samples.bill("PAYED", ["billAmount": "40.00"]), "partially_captured 4000/0"),
            (Samples.bill("PREAUTH"), "unchanged"), (Samples.bill("REJECTED"), "voided 0/0"),
            (Samples.bill("CREATED"), "unchanged"),
        ])
    func authorizedElsewhere(bill: JSON, expected: String) async throws {
        let payment = try Samples.payment(.authorized, .authorization, bill: "550298815")
        #expect(try await outcome(payment, [bill]) == expected)
    }

    @Test(
        "a requested capture is recorded with the amount that result shows",
        arguments: [
            ("40.00", "PAYED", "partially_captured 4000/0, CAPTURE done"),
            ("100.00", "PAYED", "captured 10000/0, CAPTURE done"),
            // A smaller amount was captured outside the relay.
            ("39.99", "PAYED", "partially_captured 3999/0, CAPTURE not_processed"),
            ("100.01", "PAYED", "implausible: impossible_totals"),
            ("100.00", "PREAUTH", "authorized 0/0, CAPTURE not_processed"),
            // The hold was voided: nothing can be captured any more.
            ("100.00", "REJECTED", "voided 0/0, CAPTURE not_processed"),
        ])
    func openCapture(amount: String, status: String, expected: String) async throws {
        let payment = try Samples.payment(
            .authorized, .authorization, operations: [Samples.operation(.capture, 4_000)], bill: "550298815")
        #expect(try await outcome(payment, [Samples.bill(status, ["billAmount": .string(amount)])]) == expected)
    }

    @Test("if several bills are rejected, the known one counts")
    func rejectedTries() async throws {
        let payment = try Samples.payment(
            .authorized, .authorization, operations: [Samples.operation(.voidAuthorization, 10_000)], bill: "550298815")
        let earlier = Samples.bill("REJECTED", ["shopBillId": "550298814"])
        #expect(
            try await outcome(payment, [earlier, Samples.bill("REJECTED")]) == "voided 0/0, VOID_AUTHORIZATION done")
        // While the payment's void is open, money in another bill does not count either.
        for status in ["PREAUTH", "PAYED"] {
            let other = Samples.bill(status, ["shopBillId": "550298816"])
            #expect(
                try await outcome(payment, [Samples.bill("REJECTED"), other]) == "voided 0/0, VOID_AUTHORIZATION done")
        }
        // The rejection of another bill says nothing about the known bill.
        #expect(try await outcome(payment, [earlier]) == "open")
        let held = try Samples.payment(.authorized, .authorization, bill: "550298815")
        #expect(try await outcome(held, [earlier]) == "unchanged")
    }

    @Test("a known bill is not declined by another one: beside it, it is as if Portmone had none")
    func anothersRejection() async throws {
        let payment = try Samples.payment(bill: "550298815")
        let other = Samples.bill("REJECTED", ["shopBillId": "550298814"])
        #expect(try await outcome(payment, [other], timeUncertain: .seconds(24 * 60 - 1)) == "open")
        #expect(try await outcome(payment, [other], timeUncertain: .seconds(24 * 60)) == "not_processed 0/0")
        #expect(try await outcome(payment, [other, Samples.bill("REJECTED")]) == "declined 0/0")
        // An abandoned payment page of the merchant does not keep the payment open.
        let abandoned = Samples.bill("CREATED", ["shopBillId": "550298814"])
        #expect(try await outcome(payment, [abandoned, Samples.bill("REJECTED")]) == "declined 0/0")
    }

    @Test("the payment's own bill counts without money, whatever amount and currency it names")
    func ownBillInOtherMoney() async throws {
        let payment = try Samples.payment(bill: "550298815")
        for changes: JSONObject in [
            ["billAmount": "1.00"], ["billCurrency": "USD"], ["billCurrency": "EUR", "billAmount": "2"],
        ] {
            #expect(try await outcome(payment, [Samples.bill("REJECTED", changes)]) == "declined 0/0")
            #expect(try await outcome(payment, [Samples.bill("CREATED", changes)]) == "open")
            var paid = changes
            paid["billCurrency"] = "USD"
            #expect(try await outcome(payment, [Samples.bill("PAYED", paid)]) == "open")
        }
    }

    @Test(
        "if a charge's answer was lost, a failed bill may be an earlier attempt's, and the payment's bill late, for a minute"
    )
    func lateBehindAnEarlierTry() async throws {
        let rejected = Samples.bill("REJECTED")
        let lost = try Samples.payment()
        #expect(try await outcome(lost, [rejected], timeUncertain: .seconds(59)) == "open")
        #expect(try await outcome(lost, [rejected], timeUncertain: .seconds(60)) == "declined 0/0")
        let known = try Samples.payment(bill: "550298815")
        #expect(try await outcome(known, [rejected], timeUncertain: .seconds(1)) == "declined 0/0")
    }

    @Test("one negative entry under the bill's own number may be the last of several returns")
    func lastReturn() async throws {
        let long = Duration.seconds(4 * 86_400)
        let entries = [Samples.bill("PAYED"), back("-20.00", "550298815")]
        #expect(try await outcome(refunding(5_000, before: 3_000, age: long), entries) == "open")
        #expect(try await outcome(refunding(2_000, age: long), entries) == "partially_refunded 10000/2000, REFUND done")
    }

    @Test("a bill that still states the whole says nothing new of a partial capture")
    func partlyCaptured() async throws {
        let payment = try Samples.payment(
            .partiallyCaptured, .authorization, balance: Balance(captured: 4_000), bill: "550298815")
        #expect(try await outcome(payment, [Samples.bill("PAYED")]) == "unchanged")
    }

    @Test(
        "a void is done if the bill is rejected",
        arguments: [
            ("REJECTED", "voided 0/0, VOID_AUTHORIZATION done"),
            ("PREAUTH", "authorized 0/0, VOID_AUTHORIZATION not_processed"),
            ("PAYED", "captured 10000/0, VOID_AUTHORIZATION not_processed"), ("CREATED", "open"),
        ])
    func openVoid(status: String, expected: String) async throws {
        let payment = try Samples.payment(
            .authorized, .authorization, operations: [Samples.operation(.voidAuthorization, 10_000)], bill: "550298815")
        #expect(try await outcome(payment, [Samples.bill(status)]) == expected)
    }

    @Test("a bill that names no currency says nothing of money in another one than hryvnias, and a void needs none")
    func otherCurrency() async throws {
        let payment = try Samples.payment(bill: "550298815", currency: "EUR")
        for status in ["PAYED", "PREAUTH", "RETURN", "SOMETHING", "CREATED"] {
            #expect(try await outcome(payment, [euroBill(status)]) == "open")
        }
        #expect(try await outcome(payment, [euroBill("REJECTED")]) == "declined 0/0")
        #expect(try await outcome(payment, [euroBill("REJECTED"), euroBill("PAYED", "550298816")]) == "open")
        let named = Samples.bill("PAYED", ["payee_id": "1186", "billCurrency": "EUR"])
        #expect(try await outcome(payment, [named]) == "captured 10000/0")
        #expect(try await outcome(payment, [named, euroBill("PAYED", "550298816")]) == "open")
    }

    @Test("a void in another currency than hryvnias is settled by the status of its bill")
    func otherCurrencyOfAVoid() async throws {
        let voiding = try Samples.payment(
            .authorized, .authorization, operations: [Samples.operation(.voidAuthorization, 10_000)], bill: "550298815",
            currency: "EUR")
        for (bills, expected) in [
            ([euroBill("REJECTED")], "voided 0/0, VOID_AUTHORIZATION done"),
            ([euroBill("REJECTED"), euroBill("PREAUTH", "550298816")], "voided 0/0, VOID_AUTHORIZATION done"),
            ([euroBill("PREAUTH")], "authorized 0/0, VOID_AUTHORIZATION not_processed"),
            ([euroBill("PREAUTH", "550298816")], "open"),
            ([euroBill("PREAUTH"), euroBill("PREAUTH", "550298816")], "open"), ([euroBill("PAYED")], "open"),
        ] {
            #expect(try await outcome(voiding, bills) == expected, "\(bills)")
        }
    }

    @Test("a bill without a currency is an answer: a query need not be repeated for ever")
    func otherCurrencyIsAnswered() async throws {
        let captured = try Samples.payment(
            .captured, balance: Balance(captured: 10_000), bill: "550298815", currency: "EUR")
        let portmone = ScriptedPortmone([euroBill("PAYED")])
        let report = try await portmone.status(of: captured)
        #expect(report.answer?.meaning.isPending == true)
        #expect(report.answer?.captured == nil && report.answer?.totals == nil)
        #expect(try await outcome(captured, [euroBill("PAYED")]) == "unchanged")
        let unknown = try await portmone.gateway().status(of: "ORDER-1", account: "eu")
        #expect(unknown.answer?.meaning.isPending == true)
    }

    /// Returns a bill as `result` shows it for an account that takes euros: without a currency.
    private func euroBill(_ status: String, _ number: String = "550298815") -> JSON {
        Samples.bill(status, ["payee_id": "1186", "shopBillId": .string(number)])
    }

    private func refunding(
        _ amount: MinorUnits, before: MinorUnits = .zero, age: Duration = .seconds(7_200)
    ) throws -> Payment {
        let balance = Balance(captured: 10_000, refunded: before)
        return try Samples.payment(
            balance.state(of: 10_000), balance: balance,
            operations: [Samples.operation(.refund, amount, before: balance, age: age)], bill: "550298815")
    }

    private func back(_ amount: String, _ number: String) -> JSON {
        Samples.bill("RETURN", ["shopBillId": .string(number), "billAmount": .string(amount)])
    }

    @Test("a refund is done if result shows its amount as returned")
    func shownRefund() async throws {
        #expect(
            try await outcome(refunding(3_000), [Samples.bill("PAYED"), back("-30.00", "8")])
                == "partially_refunded 10000/3000, REFUND done")
        #expect(
            try await outcome(
                refunding(5_000, before: 3_000), [Samples.bill("PAYED"), back("-30.00", "8"), back("-50.00", "9")])
                == "partially_refunded 10000/8000, REFUND done")
        // Without a list of returns, the status RETURN proves a refund of the whole amount.
        #expect(
            try await outcome(refunding(10_000), [Samples.bill("RETURN")]) == "refunded 10000/10000, REFUND done")
    }

    @Test(
        "a refund that result does not show stays open: it may show a day later, and be done twice if it is requested again"
    )
    func unseenRefund() async throws {
        #expect(try await outcome(refunding(3_000), [Samples.bill("PAYED")]) == "open")
        #expect(try await outcome(refunding(10_000), [Samples.bill("PAYED")]) == "open")
        #expect(try await outcome(refunding(3_000), [Samples.bill("RETURN")]) == "open")
        #expect(
            try await outcome(refunding(5_000, before: 3_000), [Samples.bill("PAYED"), back("-30.00", "8")]) == "open")
        // If the refund does not show after days, it was not processed.
        let long = Duration.seconds(4 * 86_400)
        #expect(
            try await outcome(refunding(3_000, age: long), [Samples.bill("PAYED")])
                == "captured 10000/0, REFUND not_processed")
        // If the answer shows less than is proven, it says nothing about a later refund either.
        #expect(try await outcome(refunding(2_000, before: 3_000, age: long), [Samples.bill("PAYED")]) == "open")
        #expect(
            try await outcome(refunding(2_000, before: 3_000, age: long), [Samples.bill("PAYED"), back("-29.99", "8")])
                == "open")
        #expect(
            try await outcome(refunding(2_000, before: 3_000, age: long), [Samples.bill("PAYED"), back("-30.00", "8")])
                == "partially_refunded 10000/3000, REFUND not_processed")
        // At least 30 were returned, and perhaps more.
        #expect(
            try await outcome(
                refunding(5_000, before: 3_000, age: long),
                [Samples.bill("PAYED"), back("-30.00", "550298815"), back("-20.00", "550298815")]) == "open")
    }

    @Test("an external refund is adopted as far as its amount is stated")
    func refundedElsewhere() async throws {
        let payment = try Samples.payment(.captured, balance: Balance(captured: 10_000), bill: "550298815")
        #expect(
            try await outcome(payment, [Samples.bill("PAYED"), back("-30.00", "8")]) == "partially_refunded 10000/3000")
        #expect(try await outcome(payment, [Samples.bill("RETURN")]) == "unchanged")
        #expect(try await outcome(payment, [back("-30.00", "550298815")]) == "partially_refunded 10000/3000")
    }

    @Test("a second paid bill is a second charge, and is never summed")
    func twice() async throws {
        let second = Samples.bill("PAYED", ["shopBillId": "550298816"])
        let known = try Samples.payment(.captured, balance: Balance(captured: 10_000), bill: "550298815")
        #expect(
            try await outcome(known, [Samples.bill("PAYED"), second]) == "captured 10000/0, second_charge")
        #expect(try await outcome(try Samples.payment(), [second, Samples.bill("PAYED")]) == "captured 10000/0")
        #expect(
            try await outcome(try Samples.payment(bill: "550298816"), [Samples.bill("PAYED"), second])
                == "captured 10000/0")
        // If no number is known, the amount tells which bill is the payment's. If a number is known, the number tells it.
        let cheaper = Samples.bill("PAYED", ["billAmount": "1.00", "shopBillId": "550298814"])
        #expect(try await outcome(try Samples.payment(), [cheaper, second]) == "captured 10000/0")
        #expect(try await outcome(known, [cheaper, Samples.bill("PAYED")]) == "captured 10000/0, second_charge")
        // The known bill decides about an operation that was requested for it.
        let capturing = try Samples.payment(
            .authorized, .authorization, operations: [Samples.operation(.capture, 10_000)], bill: "550298815")
        #expect(
            try await outcome(capturing, [Samples.bill("PAYED"), second]) == "captured 10000/0, CAPTURE done")
        // It is not known from which bill the money was returned.
        #expect(
            try await outcome(
                refunding(3_000, age: .seconds(4 * 86_400)), [Samples.bill("PAYED"), second, back("-30.00", "8")])
                == "open")
        let portmone = ScriptedPortmone([Samples.bill("PAYED"), second])
        _ = try await portmone.status(of: known)
        #expect(portmone.alerts.count == 1)
    }

    @Test("An external payment after attempts of other amounts is recorded, and can be refunded")
    func earlierTriesElsewhere() async throws {
        let declined = Samples.bill("REJECTED")
        let hint = GatewayHint(
            account: "ua", merchantReference: "ORDER-1", subject: .charge(.purchase), statement: .declined,
            amount: 10_000, currency: "UAH", gatewayReference: nil)
        let answer = try #require(
            try await ScriptedPortmone([declined]).gateway().status(of: "ORDER-1", account: "ua").answer)
        let found = try #require(
            Change(toPaymentMadeElsewhere: answer, hint: hint, gateway: "portmone", on: .at(Samples.now))
        ).after
        #expect(found.state == .declined && found.amount == 10_000)

        let second = Samples.bill("REJECTED", ["shopBillId": "550298816", "billAmount": "120.00"])
        let third = Samples.bill("PAYED", ["shopBillId": "550298817", "billAmount": "120.00"])
        #expect(
            try await outcome(found, [declined, second, third]) == "captured 12000/0, charged_after_all")

        let paid = Samples.bill("PAYED", ["shopBillId": "550298818", "billAmount": "90.00"])
        let report = try await ScriptedPortmone([declined, paid]).status(of: found)
        guard case .record(let change) = decision(on: found, report) else {
            Issue.record("nothing was recorded")
            return
        }
        var payment = change.after
        #expect(payment.state == .captured && payment.amount == 9_000)
        #expect(try await outcome(payment, [declined, paid]) == "unchanged")
        payment.operations = [Samples.operation(.refund, 3_000, before: payment.balance)]
        #expect(
            try await outcome(payment, [declined, paid, back("-30.00", "8")])
                == "partially_refunded 9000/3000, REFUND done")
    }

    @Test("a charge that was reported as declined and was made after all is recorded")
    func afterAll() async throws {
        #expect(
            try await outcome(try Samples.payment(.declined), [Samples.bill("PAYED")])
                == "captured 10000/0, charged_after_all")
        #expect(try await outcome(try Samples.payment(.declined), [Samples.bill("RETURN")]) == "unchanged")
    }

    @Test("a failed query proves nothing, not even that there is no such order")
    func failedQuestion() async throws {
        for answer in [nil, ["errorCode": "6", "error": "not found"], ["result": [:], "id": "1"]] as [JSON?] {
            #expect(try await ScriptedPortmone(answer).status(of: try Samples.payment()).isUnknown)
        }
    }

    @Test("for a reference that is unknown here, result proves a payment in the account's only currency")
    func unknownReference() async throws {
        let portmone = ScriptedPortmone([Samples.bill("PAYED")])
        let answer = try #require(try await portmone.gateway().status(of: "ORDER-1", account: "ua").answer)
        #expect(answer.meaning == .captured && answer.captured == 10_000 && answer.totals == nil)
        let hint = GatewayHint(
            account: "ua", merchantReference: "ORDER-1", subject: .charge(.purchase), statement: .undecided,
            amount: nil,
            currency: "UAH", gatewayReference: nil)
        let found = Change(toPaymentMadeElsewhere: answer, hint: hint, gateway: "portmone", on: .at(Samples.now))
        #expect(found?.after.state == .captured && found?.after.amount == 10_000)
        // The payee of another account is not this account's payee.
        #expect(try await portmone.gateway().status(of: "ORDER-1", account: "eu").isUnknown)
        #expect(try await ScriptedPortmone([]).gateway().status(of: "a b", account: "ua").answer == nil)
    }
}

@Suite struct ThreeDSecureClosingTests {
    /// Returns a charge that was answered with the bill of ``Samples``.
    private func payment(
        _ state: PaymentState = .uncertain, bill: String? = "550298815", age seconds: Int
    ) throws -> Payment {
        try Samples.payment(state, bill: bill, age: .seconds(seconds))
    }

    @Test("a charge that cannot be completed is closed after ten minutes, and declined when result says so")
    func closes() async throws {
        let portmone = ScriptedPortmone([Samples.bill("CREATED")], Samples.bill("REJECTED"), [Samples.bill("REJECTED")])
        let answer = try await portmone.status(of: try payment(age: 600)).answer
        #expect(answer?.meaning == .declined)
        #expect(portmone.methods == ["result", "closeInvoice", "result"])
    }

    @Test("a charge in another currency than hryvnias is closed, too")
    func closesOtherCurrency() async throws {
        func bill(_ status: String) -> JSON { Samples.bill(status, ["payee_id": "1186"]) }
        let portmone = ScriptedPortmone([bill("CREATED")], bill("REJECTED"), [bill("REJECTED")])
        let payment = try Samples.payment(bill: "550298815", age: .seconds(601), currency: "EUR")
        #expect(try await portmone.status(of: payment).answer?.meaning == .declined)
        #expect(portmone.methods == ["result", "closeInvoice", "result"])
    }

    @Test(
        "whatever closeInvoice answers, result decides",
        arguments: [nil, Samples.bill("REJECTED"), ["errorCode": "5"]] as [JSON?])
    func resultDecides(closed: JSON?) async throws {
        let portmone = ScriptedPortmone([Samples.bill("CREATED")], closed, [Samples.bill("CREATED")])
        #expect(try await portmone.status(of: try payment(age: 601)).answer?.meaning.isPending == true)
        let paid = ScriptedPortmone([Samples.bill("CREATED")], closed, [Samples.bill("PAYED")])
        #expect(try await paid.status(of: try payment(age: 601)).answer?.meaning == .captured)
    }

    @Test("nothing is closed that is young, paid, settled, or not of this service")
    func closesNothingElse() async throws {
        let elsewhere = Payment(
            merchantReference: "ORDER-1", command: .purchase, amount: 10_000, currency: "UAH", fingerprint: nil,
            appleTransactionIdentifier: nil, claimedAt: Samples.now - .seconds(86_400), gateway: "portmone",
            account: "ua", state: .uncertain, gatewayReference: "550298815"
        )
        for (other, status) in [
            (try payment(age: 599), "CREATED"), (try payment(age: 86_400), "PAYED"),
            (try payment(age: 86_400), "PREAUTH"), (try payment(age: 86_400), "SOMETHING"),
            (try payment(.declined, age: 86_400), "CREATED"), (try payment(.captured, age: 86_400), "CREATED"),
            (elsewhere, "CREATED"),
        ] {
            let portmone = ScriptedPortmone([Samples.bill(status)])
            _ = try await portmone.status(of: other)
            #expect(portmone.methods == ["result"])
        }
    }

    @Test("a bill that the charge was not answered with is not closed: it may wait on the merchant's page")
    func closesNoOther() async throws {
        let portmone = ScriptedPortmone([Samples.bill("CREATED")])
        _ = try await portmone.status(of: try payment(bill: "550298816", age: 7 * 86_400))
        #expect(portmone.methods == ["result"])
    }

    @Test(
        "beside another unpaid bill the charge's own is closed after a day: closeInvoice names the order alone",
        arguments: ["100.00", "1.00"])
    func closesBesideAnother(amount: String) async throws {
        let other = Samples.bill("CREATED", ["shopBillId": "550298814", "billAmount": .string(amount)])
        for (age, methods) in [(86_399, ["result"]), (86_400, ["result", "closeInvoice", "result"])] {
            let portmone = ScriptedPortmone([other, Samples.bill("CREATED")])
            _ = try await portmone.status(of: try payment(age: age))
            #expect(portmone.methods == methods)
        }
    }

    @Test("if the charge's answer was lost, a bill is closed after a day, when no page waits")
    func closesUnnamed() async throws {
        for (age, methods) in [(86_399, ["result"]), (86_400, ["result", "closeInvoice", "result"])] {
            let portmone = ScriptedPortmone([Samples.bill("CREATED")])
            _ = try await portmone.status(of: try payment(bill: nil, age: age))
            #expect(portmone.methods == methods)
        }
    }

    @Test("an unpaid bill belongs to the charge if the charge's answer named it, and not if only result did")
    func own() async throws {
        let named = ScriptedPortmone(Samples.charged("CREATED", ["isNeed3DS": "Y"]))
        #expect(try await named.charge().answer?.reference == "550298815")
        for first in [nil, ["errorCode": "15", "error": "no"]] as [JSON?] {
            let found = ScriptedPortmone(first, [Samples.bill("CREATED")])
            let answer = try #require(try await found.charge().answer)
            #expect(answer.meaning.isPending && answer.reference == nil)
        }
    }
}

extension Occasion {
    /// A query by the relay itself at that time.
    static func at(_ moment: Date) -> Occasion {
        Occasion(at: moment, origin: Origin(.checkStatus(by: .reconciler), request: nil))
    }
}
