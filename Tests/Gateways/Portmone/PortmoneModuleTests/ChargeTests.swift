import ApplePayToken
import PayrelayPrimitives
import PortmoneAPI
import Testing

@testable import PaymentRelay
@testable import PortmoneModule

@Suite struct ChargeTests {
    @Test("a paid bill that names the order is a captured payment, after one request")
    func paid() async throws {
        let portmone = ScriptedPortmone(Samples.charged("PAYED"))
        let answer = try #require(try await portmone.charge().answer)
        #expect(answer.meaning == .captured)
        #expect(answer.captured == 10_000)
        #expect(answer.reference == "550298815")
        #expect(portmone.methods == ["APay"])
        #expect(
            answer.summary == [
                "shop_bill_id": "550298815", "card_number": "535560******3735", "authorization_code": "831000",
                "status": "PAYED",
            ])
        #expect(answer.response["pdfUrl"] == "https://example.com/1.pdf")
    }

    @Test("S1: an answer's credentials and card tokens are not kept")
    func nothingThatPays() async throws {
        let portmone = ScriptedPortmone(
            Samples.charged(
                "PAYED", ["password": "CANARY", "md": "CANARY", "PaReq": "CANARY", "token_exp_date": "CANARY"]))
        let answer = try #require(try await portmone.charge().answer)
        #expect(!String(decoding: JSON.object(answer.response).encoded(), as: UTF8.self).contains("CANARY"))
    }

    @Test("a preauthorization holds the money, and is requested as a preauthorization")
    func held() async throws {
        let portmone = ScriptedPortmone(Samples.charged("PREAUTH"))
        let answer = try #require(try await portmone.charge(["command": "AUTHORIZATION"]).answer)
        #expect(answer.meaning == .authorized)
        #expect(answer.authorized == 10_000)
        #expect(portmone.requests.first?.data["preauthFlag"] == "Y")
    }

    @Test("the outcome is what Portmone did with the money, not what was requested")
    func otherCommand() async throws {
        #expect(try await ScriptedPortmone(Samples.charged("PREAUTH")).charge().answer?.meaning == .authorized)
        #expect(
            try await ScriptedPortmone(Samples.charged("PAYED")).charge(["command": "AUTHORIZATION"]).answer?.meaning
                == .captured)
    }

    @Test("a rejected bill of this order is a decline")
    func declined() async throws {
        let portmone = ScriptedPortmone(
            Samples.charged("REJECTED", ["errorCode": "29", "error": "insufficient funds"]))
        let answer = try #require(try await portmone.charge().answer)
        #expect(answer.meaning == .declined)
        #expect(answer.summary["response_message"] == "insufficient funds")
        #expect(portmone.methods == ["APay"])
    }

    @Test("3-D Secure cannot be shown in Apple's sheet: the charge is undecided", arguments: [JSON.null, "ORDER-1"])
    func threeDSecure(billNumber: JSON) async throws {
        let portmone = ScriptedPortmone(
            Samples.charged(
                "CREATED", ["isNeed3DS": "Y", "billNumber": billNumber, "actionMPI": "https://acs.example"]))
        let answer = try #require(try await portmone.charge().answer)
        #expect(answer.meaning.isPending)
        #expect(answer.response["actionMPI"] == nil)
        #expect(portmone.methods == ["APay"])
    }

    @Test(
        "after an answer without an order or a decision, result is queried and decides",
        arguments: [
            (Samples.charged("PAYED", ["billNumber": .null]), nil),
            (Samples.charged("PAYED", ["billNumber": "77"]), nil),
            (Samples.charged("REJECTED", ["billNumber": .null]), nil), (Samples.charged("SOMETHING"), "550298815"),
            (Samples.charged("CREATED"), "550298815"), (Samples.charged("RETURN"), "550298815"),
            (Samples.charged("PAYED", ["isNeed3DS": "Y"]), "550298815"), (nil, nil),
            (["result": [:], "id": "1"], nil), (["errorCode": "15", "error": "no"], nil),
        ] as [(JSON?, String?)])
    func resultDecides(first: JSON?, named: String?) async throws {
        for (status, meaning) in [
            ("PAYED", GatewayAnswer.Meaning.captured), ("PREAUTH", .authorized), ("REJECTED", .declined),
        ] {
            let portmone = ScriptedPortmone(first, [Samples.bill(status)])
            #expect(try await portmone.charge().answer?.meaning == meaning)
            #expect(portmone.methods == ["APay", "result"])
            #expect(portmone.requests.last?.data["shopOrderNumber"] == "ORDER-1")
        }
        #expect(try await ScriptedPortmone(first, [Samples.bill("CREATED")]).charge().answer?.meaning.isPending == true)
        for unanswered in [nil, ["errorCode": "15"]] as [JSON?] {
            let report = try await ScriptedPortmone(first, unanswered).charge()
            #expect(report.isUnknown == (named == nil))
            #expect(report.answer.map(\.meaning.isPending) ?? true)
        }
    }

    @Test(
        "a bill that the charge's answer named stays the charge's own, whatever result says next",
        arguments: [
            [], [Samples.bill("CREATED")], [Samples.bill("REJECTED", ["shopBillId": "550298814"])],
            [Samples.bill("CREATED", ["shopBillId": "550298814"])], ["errorCode": "15"], nil,
        ] as [JSON?])
    func named(result: JSON?) async throws {
        let report = try await ScriptedPortmone(Samples.charged("CREATED"), result).charge()
        guard
            case .record(let change) = try Samples.payment(.processing).apply(
                .charged(report), on: .at(Samples.now),
                patience: NotFoundPatience(charge: .seconds(60), operation: .seconds(60)))
        else {
            Issue.record("nothing was recorded")
            return
        }
        #expect(change.after.state == .uncertain)
        #expect(change.after.gatewayReference == "550298815")
    }

    @Test("R10: an error is undecided if Portmone has no bill of the order: the bill may be late")
    func failed() async throws {
        let failure: JSON = ["errorCode": "15", "errorMessage": "no access"]
        let portmone = ScriptedPortmone(failure, [], [], [Samples.bill("PAYED")])
        let answer = try #require(try await portmone.charge().answer)
        #expect(answer.meaning.isPending)
        #expect(portmone.methods == ["APay", "result", "result"])
        #expect(answer.summary["response_code"] == "15" && answer.summary["response_message"] == "no access")
        #expect(try await portmone.status(of: try Samples.payment()).answer?.meaning == .captured)
        // There was no answer, and the query finds nothing yet: the charge may still be on its way.
        #expect(try await ScriptedPortmone(nil, []).charge().answer?.meaning.isPending == true)
    }

    @Test("R9, S6: an error and one empty list do not make a decline: they may be about another order, or too early")
    func failedInAppearance() async throws {
        let failure: JSON = ["result": ["errorCode": "120", "error": "technical problem"], "id": "1"]
        let held = ScriptedPortmone(failure, ["result": [], "id": "1"], [Samples.bill("PREAUTH")])
        #expect(try await held.charge(["command": "AUTHORIZATION"]).answer?.meaning == .authorized)
        #expect(try await ScriptedPortmone(failure, [], nil).charge().isUnknown)
    }

    @Test(
        "R12, R14: an answer about another payment, or in another form, settles nothing",
        arguments: [
            ["shopOrderNumber": "ORDER-2"], ["payee_id": "1186"], ["billCurrency": "USD"], ["billAmount": "1.010"],
            ["billAmount": "100,00"], ["billAmount": .number("1e2")], ["billAmount": "-100.00"],
            ["billAmount": "100.000"], ["errorCode": "5"], ["shopBillId": "1 2"],
        ] as [JSONObject])
    func foreign(changes: JSONObject) async throws {
        let portmone = ScriptedPortmone(Samples.charged("PAYED", changes))
        #expect(try await portmone.charge().isUnknown)
        #expect(portmone.methods == ["APay"])
    }

    @Test("a decline of another amount settles nothing")
    func otherDecline() async throws {
        #expect(try await ScriptedPortmone(Samples.charged("REJECTED", ["billAmount": "99.99"])).charge().isUnknown)
    }

    @Test("R10: a missing answer is unknown, and a request that did not leave is not sent; neither is repeated")
    func silence() async throws {
        for (reply, expected) in [
            (
                Outcome<JSON?>.unknown(reason: "timed out"),
                Outcome<GatewayAnswer>.unknown(reason: "Portmone did not answer: timed out")
            ),
            (.notSent(reason: "refused"), .notSent(reason: "Portmone could not be reached: refused")),
        ] {
            let portmone = ScriptedPortmone([{ _ in reply }])
            #expect(try await portmone.charge() == expected)
            #expect(portmone.methods == ["APay"])
        }
    }

    @Test(
        "a charge is sent once, whatever the answer",
        arguments: ["PAYED", "PREAUTH", "REJECTED", "CREATED", "SOMETHING"])
    func once(status: String) async throws {
        let portmone = ScriptedPortmone(Samples.charged(status), [])
        _ = try await portmone.charge()
        #expect(portmone.methods.filter { $0 == "APay" }.count == 1)
    }

    @Test("two paid bills of one order are alerted of, and not summed")
    func twice() async throws {
        let portmone = ScriptedPortmone(
            nil, [Samples.bill("PAYED"), Samples.bill("PAYED", ["shopBillId": "550298816"])])
        let answer = try #require(try await portmone.charge().answer)
        #expect(answer.meaning == .captured && answer.captured == 10_000 && answer.reference == "550298815")
        #expect(
            portmone.alerts == [
                .chargedSeveralTimes(merchantReference: "ORDER-1", shopBillIDs: ["550298815", "550298816"])
            ])
    }
}

@Suite struct OrderTests {
    private func errors(
        _ changes: [String: String?], _ preauthorization: Preauthorization = .onRequest, account: String = "ua"
    ) throws -> [String] {
        var fields = Samples.fields
        for (name, value) in changes { fields[name] = value }
        let gateway = try ScriptedPortmone(nil).gateway(preauthorization)
        do {
            let charge = try gateway.prepare(fields, account: account, with: Samples.token())
            #expect(charge.order.merchantReference == fields["merchant_reference"])
            #expect(charge.order.account == account && charge.gateway == "portmone")
            return []
        } catch let error as ValidationErrors {
            return error.errors.map(\.field)
        }
    }

    @Test("every wrong field is named at once")
    func everyField() throws {
        #expect(try errors([:]).isEmpty)
        #expect(
            try errors(["amount": "1.00", "merchant_reference": "a b", "eci": "ECOMMERCE"])
                == ["merchant_reference", "amount", "eci"])
        #expect(try errors([:], account: "nobody") == ["account"])
    }

    @Test(
        "AUTHORIZATION is refused if the account has no preauthorizations, and PURCHASE if it has nothing else"
    )
    func preauthorization() throws {
        #expect(try errors(["command": "AUTHORIZATION"], .never) == ["command"])
        #expect(try errors(["command": "AUTHORIZATION"], .onRequest).isEmpty)
        #expect(try errors(["command": "AUTHORIZATION"], .always).isEmpty)
        #expect(try errors(["command": "PURCHASE"], .always) == ["command"])
    }

    @Test("an account takes its own currencies alone")
    func accounts() throws {
        #expect(try errors(["currency": "EUR"], account: "eu").isEmpty)
        #expect(try errors(["currency": "EUR"]) == ["currency"])
    }

    @Test("an account that lists no currency takes hryvnias alone")
    func unlisted() throws {
        let entry = PortmoneAccounts.Entry(name: "any", account: try ScriptedPortmone.accounts().entries[0].account)
        #expect(entry.errors(in: Samples.fields).isEmpty)
        #expect(entry.errors(in: Samples.fields.merging(["currency": "EUR"]) { $1 }).map(\.field) == ["currency"])
        #expect(entry.onlyCurrency == .UAH)
    }

    @Test("a recurring payment is refused by name")
    func recurring() throws {
        let gateway = try ScriptedPortmone(nil).gateway()
        #expect(throws: ValidationErrors.self) { try gateway.prepareRecurring(Samples.fields, account: "ua") }
    }
}
