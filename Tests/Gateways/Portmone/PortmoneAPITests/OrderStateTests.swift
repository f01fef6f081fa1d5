import PayrelayPrimitives
import Testing

@testable import PortmoneAPI

@Suite struct OrderStateTests {
    private func state(_ bills: [JSONObject], own: String? = nil) throws -> OrderState {
        try OrderState(
            bills.map { try Samples.entry(Samples.bill($0)) }, for: Samples.identity(amount: nil), own: own)
    }

    private func word(_ state: OrderState) -> String {
        switch state {
        case .notFound: "not found"
        case .open(let bill, let isAlone): "open: \(bill.shopBillID ?? "")\(isAlone ? "" : ", not alone")"
        case .rejected: "rejected"
        case .held: "held"
        case .paid(_, let returned): "paid" + (returned.map { ", \(amount($0)) back" } ?? "")
        case .returned: "returned"
        case .onlyReturns(_, let returned): "\(amount(returned)) back"
        case .withoutCurrency: "without a currency"
        case .chargedSeveralTimes(let bills): "charged: \(bills.compactMap(\.shopBillID).joined(separator: " "))"
        }
    }

    private func amount(_ returned: ReturnedAmount) -> String {
        (returned.isSum ? "" : "at least ") + returned.amount.description
    }

    @Test(
        "the bills of an order together give its outcome",
        arguments: [
            ([], "not found"), ([["status": "CREATED"]], "open: 550298815"), ([["status": "REJECTED"]], "rejected"),
            ([["status": "PREAUTH"]], "held"), ([["status": "PAYED"]], "paid"), ([["status": "RETURN"]], "returned"),
            ([["status": "SOMETHING"]], "open: 550298815"), ([["status": .null]], "open: 550298815"),
            // Another bill is from an earlier attempt.
            ([["status": "REJECTED"], ["status": "PAYED", "shopBillId": "2"]], "paid"),
            ([["status": "CREATED"], ["status": "REJECTED", "shopBillId": "2"]], "open: 550298815"),
            ([["status": "REJECTED"], ["status": "SOMETHING", "shopBillId": "2"]], "open: 2"),
            ([["status": "CREATED"], ["status": "CREATED", "shopBillId": "2"]], "open: 550298815, not alone"),
            ([["status": "CREATED"], ["status": "SOMETHING", "shopBillId": "2"]], "open: 550298815, not alone"),
            // The same bill appears twice.
            ([["status": "PAYED"], ["status": "PAYED"]], "paid"),
            // Returned money has separate entries.
            ([["status": "PAYED"], ["status": "RETURN", "shopBillId": "8", "billAmount": "-0.50"]], "paid, 50 back"),
            (
                [
                    ["status": "PAYED"], ["status": "RETURN", "shopBillId": "8", "billAmount": "-0.50"],
                    ["status": "RETURN", "shopBillId": "9", "billAmount": "-0.20"],
                ], "paid, 70 back"
            ),
            // Entries with one number may show one return that grew. At least the largest amount was returned.
            (
                [
                    ["status": "PAYED"], ["status": "RETURN", "billAmount": "-0.50"],
                    ["status": "RETURN", "billAmount": "-0.20"],
                ], "paid, at least 50 back"
            ),
            // An entry with the bill's own number may be the last of several returns.
            ([["status": "PAYED"], ["status": "RETURN", "billAmount": "-0.50"]], "paid, at least 50 back"),
            ([["status": "RETURN", "billAmount": "-1.01"]], "at least 101 back"),
        ] as [([JSONObject], String)])
    func together(bills: [JSONObject], expected: String) throws {
        #expect(word(try state(bills)) == expected)
    }

    @Test(
        "if no bill has money, only the payment's own bill decides",
        arguments: [
            (["status": "REJECTED"], "rejected"), (["status": "CREATED"], "open: 550298815, not alone"),
            (["status": "SOMETHING"], "open: 550298815, not alone"), (["status": "PREAUTH"], "held"),
            // The payment's bill is missing.
            (["status": "REJECTED", "shopBillId": "2"], "open: 1"),
            (["status": "PAYED", "shopBillId": "2"], "paid"),
        ] as [(JSONObject, String)])
    func own(bill: JSONObject, expected: String) throws {
        let abandoned: JSONObject = ["status": "CREATED", "shopBillId": "1"]
        for bills in [[abandoned, bill], [bill, abandoned]] {
            #expect(word(try state(bills, own: "550298815")) == expected)
        }
    }

    @Test("two paid bills are never summed, and stand in the order of their numbers")
    func twice() throws {
        #expect(
            word(try state([["shopBillId": "10"], ["shopBillId": "9"], ["status": "REJECTED", "shopBillId": "8"]]))
                == "charged: 9 10")
        #expect(word(try state([["status": "PREAUTH", "shopBillId": "10"], ["shopBillId": "9"]])) == "charged: 9 10")
    }

    @Test(
        "entries that contradict each other prove nothing",
        arguments: [
            [["status": "PAYED"], ["status": "PREAUTH"]], [["billAmount": "1.01"], ["billAmount": "1.00"]],
            [["status": "PREAUTH"], ["status": "RETURN", "shopBillId": "8", "billAmount": "-0.50"]],
            [
                ["status": "PAYED"], ["status": "RETURN", "shopBillId": "8", "billAmount": "-99999999.99"],
                ["status": "RETURN", "shopBillId": "9", "billAmount": "-0.01"],
            ],
        ] as [[JSONObject]])
    func contradictions(bills: [JSONObject]) {
        #expect(throws: EvidenceError.self) { try state(bills) }
    }
}
