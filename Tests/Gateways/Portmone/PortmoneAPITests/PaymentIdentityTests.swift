import PayrelayPrimitives
import Testing

@testable import PortmoneAPI

@Suite struct PaymentIdentityTests {
    private func proof(
        _ changes: JSONObject, _ naming: PaymentIdentity.Naming = .full, _ identity: PaymentIdentity? = nil
    ) throws -> ProvenEntry {
        try (identity ?? Samples.identity()).proof(in: Samples.entry(Samples.bill(changes)), naming: naming)
    }

    @Test("a bill that names payee, order, amount and currency proves its status")
    func proven() throws {
        let proven = try proof(["billCurrency": "UAH"])
        #expect(proven.status == .payed)
        #expect(proven.amount == 101)
        #expect(proven.shopBillID == "550298815")
        // The published answers to `result` have no currency.
        #expect(try proof([:]).amount == 101)
    }

    @Test(
        "R12: an answer about another payment proves nothing",
        arguments: [
            (["payee_id": "1186"], "payee_id"), (["payee_id": .number("11850")], "payee_id"),
            (["shopOrderNumber": "ORDER-2"], "shopOrderNumber"), (["shopOrderNumber": "order-1"], "shopOrderNumber"),
            (["shopOrderNumber": "ORDER-1\u{301}"], "shopOrderNumber"), (["billCurrency": "USD"], "billCurrency"),
        ] as [(JSONObject, String)])
    func foreign(changes: JSONObject, name: String) {
        for naming in [PaymentIdentity.Naming.full, .order] {
            #expect(throws: EvidenceError.foreign(name)) { try proof(changes, naming) }
        }
    }

    @Test(
        "an answer that does not name its order proves nothing",
        arguments: [
            (["payee_id": .null], "payee_id"), (["shopOrderNumber": .null], "shopOrderNumber"),
            (["shopOrderNumber": ""], "shopOrderNumber"), (["shopBillId": .null], "shopBillId"),
            (["billAmount": .null], "billAmount"), (["billAmount": ""], "billAmount"),
        ] as [(JSONObject, String)])
    func incomplete(changes: JSONObject, name: String) {
        #expect(throws: EvidenceError.incomplete(name)) { try proof(changes) }
    }

    @Test("the answer to a charge names no payee; it must name the order, by one of its two names")
    func ofACharge() throws {
        #expect(try proof(["payee_id": .null], .order).status == .payed)
        #expect(
            try proof(["payee_id": .null, "shopOrderNumber": .null, "billNumber": "ORDER-1"], .order).status == .payed)
        #expect(throws: EvidenceError.incomplete("shopOrderNumber")) {
            try proof(["shopOrderNumber": .null, "billNumber": "77"], .order)
        }
        #expect(throws: EvidenceError.incomplete("shopOrderNumber")) { try proof(["shopOrderNumber": .null], .order) }
        // In an answer to `result`, `billNumber` is not proof of the order.
        #expect(throws: EvidenceError.incomplete("shopOrderNumber")) {
            try proof(["shopOrderNumber": .null, "billNumber": "ORDER-1"])
        }
    }

    @Test(
        "R14: an amount in another form proves nothing",
        arguments: ["1.010", "1,01", "1e0", "+1.01", " 1.01", "1.01 UAH", "-1.01", "99999999999", "0x1", "1.01\u{0}"])
    func amounts(text: String) {
        #expect(throws: EvidenceError.unreadable("billAmount")) { try proof(["billAmount": .string(text)]) }
    }

    @Test("an amount may be a number of JSON, and is judged by its literal")
    func numbers() throws {
        #expect(try proof(["billAmount": .number("1.01")]).amount == 101)
        for literal in ["1.010", "101e-2", "1.01e0", "-1.01"] {
            #expect(throws: EvidenceError.unreadable("billAmount")) { try proof(["billAmount": .number(literal)]) }
        }
    }

    @Test("a negative amount is money that was given back")
    func negative() throws {
        let returned = try proof(["status": "RETURN", "billAmount": "-0.50"])
        #expect(returned.amount == 50 && returned.isNegative)
        for status in ["PAYED", "PREAUTH"] {
            #expect(throws: EvidenceError.unreadable("billAmount")) {
                try proof(["status": .string(status), "billAmount": "-1.01"])
            }
        }
    }

    @Test("a decline of another amount is not the payment's", arguments: ["CREATED", "REJECTED", "SOMETHING"])
    func otherAmountOfADecline(status: String) throws {
        #expect(throws: EvidenceError.foreign("billAmount")) {
            try proof(["status": .string(status), "billAmount": "1.00"])
        }
        #expect(try proof(["status": .string(status)]).amount == 101)
        #expect(try proof(["status": .string(status), "billAmount": .null]).amount == nil)
    }

    @Test("a bill without money of another amount or currency is left out of a list, unless it is the payment's own")
    func triesOfOtherAmounts() throws {
        func amounts(_ bills: JSONObject..., own: String? = nil) throws -> [MinorUnits?] {
            try Samples.identity().proofs(in: bills.map { try Samples.entry(Samples.bill($0)) }, own: own).map(\.amount)
        }
        let rejected: JSONObject = ["status": "REJECTED", "billAmount": "1.00", "shopBillId": "7"]
        let created: JSONObject = ["status": "CREATED", "billAmount": "9.00", "shopBillId": "8"]
        #expect(try amounts(rejected, [:], created) == [101])
        #expect(try amounts([:], ["billAmount": "1.00", "shopBillId": "7"]) == [101, 100])
        #expect(try amounts() == [])
        #expect(try amounts(rejected) == [])
        #expect(try amounts(created) == [] && amounts(rejected, created) == [])
        // Without a currency, the amount of the payment's bill is not proven.
        #expect(try amounts(rejected, created, own: "8") == [nil] && amounts(rejected, created, own: "7") == [nil])
        let failedElsewhere: JSONObject = ["status": "REJECTED", "billCurrency": "USD", "shopBillId": "9"]
        #expect(try amounts(failedElsewhere) == [] && amounts(failedElsewhere, own: "9") == [101])
        for status in ["PAYED", "PREAUTH", "RETURN", "SOMETHING"] {
            #expect(throws: EvidenceError.foreign("billCurrency")) {
                try amounts(["status": .string(status), "billCurrency": "USD", "shopBillId": "9"], own: "9")
            }
        }
        for other in [("payee_id", "1186"), ("shopOrderNumber", "OTHER"), ("shopBillId", "a b")] {
            var bill = rejected
            bill[other.0] = .string(other.1)
            #expect(throws: EvidenceError.self, "\(other)") { try amounts(bill, own: "7") }
        }
        #expect(throws: EvidenceError.foreign("billAmount")) {
            try amounts([:], ["status": "SOMETHING", "billAmount": "-1.00", "shopBillId": "7"])
        }
        #expect(throws: EvidenceError.foreign("payee_id")) { try amounts([:], ["payee_id": "1186"]) }
    }

    @Test("if money was captured, the stated amount is passed on")
    func otherAmountOfACharge() throws {
        #expect(try proof(["billAmount": "1.00"]).amount == 100)
    }

    @Test("money and an error beside each other contradict", arguments: ["PAYED", "PREAUTH", "RETURN"])
    func contradiction(status: String) {
        #expect(throws: EvidenceError.self) { try proof(["status": .string(status), "errorCode": "5"]) }
    }

    @Test("without a currency of its own, a payment's amounts are read in the entry's, or not at all")
    func unknownCurrency() throws {
        let identity = try Samples.identity(currency: nil, amount: nil)
        #expect(try proof(["billCurrency": "KWD", "billAmount": "1.010"], .full, identity).amount == 1_010)
        #expect(try proof([:], .full, identity).amount == nil)
        #expect(throws: EvidenceError.incomplete("billCurrency")) { try proof([:], .order, identity) }
        #expect(throws: EvidenceError.unreadable("billCurrency")) {
            try proof(["billCurrency": "uah"], .full, identity)
        }
    }

    @Test("in another currency than hryvnias an amount proves nothing, unless its currency is named")
    func otherCurrency() throws {
        let identity = try Samples.identity(currency: "EUR")
        for (status, hasMoney) in [
            ("PAYED", true), ("PREAUTH", true), ("RETURN", true), ("SOMETHING", true), ("REJECTED", false),
            ("CREATED", false),
        ] {
            let proven = try proof(["status": .string(status)], .full, identity)
            #expect(proven.amount == nil && proven.currency == nil && proven.status?.rawValue ?? "SOMETHING" == status)
            // The answer to a request must state the amount.
            if hasMoney {
                #expect(throws: EvidenceError.incomplete("billCurrency")) {
                    try proof(["status": .string(status)], .order, identity)
                }
            } else {
                #expect(try proof(["status": .string(status)], .order, identity).amount == nil)
            }
        }
        #expect(try proof(["billCurrency": "EUR"], .full, identity).amount == 101)
    }

    @Test(
        "a bill's number is short and plain",
        arguments: ["5 5", "1\n2", "../1", String(repeating: "1", count: 41), "номер"])
    func billNumbers(number: String) {
        #expect(throws: EvidenceError.unreadable("shopBillId")) { try proof(["shopBillId": .string(number)]) }
    }
}
