import PayrelayPrimitives
import Testing

@testable import PortmoneSandbox

/// The operations that are possible after a bill's charge, and those that are not.
@Suite struct OperationTests {
    private func held(_ order: String) async throws -> PortmoneBench {
        let bench = PortmoneBench(ChargeSettings(preauthorization: .always))
        try await bench.pay(order)
        return bench
    }

    @Test("A confirmed preauthorization is paid, whole or in part, and once")
    func confirm() async throws {
        let bench = try await held("A")
        #expect(try await bench.operate("confirmPreauth", "A", ["postauthAmount": "125.51"]).errorCode == "117")
        let answer = try await bench.operate("confirmPreauth", "A", ["postauthAmount": .number("100.5")])
        #expect(answer.arrayValue?.count == 1 && answer.hasOnlyTexts)
        let confirmed = try #require(answer.arrayValue?.first)
        #expect(confirmed["status"] == "PAYED" && confirmed["bill_amount"] == "100.50")
        #expect(
            confirmed["shop_order_number"] == "A" && confirmed["error_code"] == "0" && confirmed["errorCode"] == nil)
        #expect(try await bench.state("A") == ["PAYED 100.50"])
        #expect(try await bench.operate("confirmPreauth", "A", ["postauthAmount": "1"]).errorCode == "5")
        #expect(await bench.sandbox.bills.map(\.captures) == [1])
    }

    @Test("A rejected preauthorization returns the held amount once")
    func reject() async throws {
        let bench = try await held("A")
        let answer = try await bench.operate("rejectPreauth", "A")
        #expect(answer["status"] == "REJECTED" && answer["rrn"] != nil && answer["commission"] != nil)
        #expect(answer.hasOnlyTexts)
        #expect(try await bench.state("A") == ["REJECTED 125.50"])
        #expect(try await bench.operate("rejectPreauth", "A").errorCode == "6")
        #expect(try await bench.operate("confirmPreauth", "A", ["postauthAmount": "1"]).errorCode == "5")
        #expect(await bench.sandbox.newestBills(limit: 1).first?["voided"] == true)
    }

    @Test("A return is a separate entry with a negative amount; returns add up to the paid amount at most")
    func returns() async throws {
        let bench = PortmoneBench()
        try await bench.pay("A")
        let answer = try await bench.operate("return", "A", ["returnAmount": 25, "message": "size"], at: .gateway)
        #expect(answer["status"] == "RETURN" && answer["bill_amount"] == "-25.00" && answer.hasOnlyTexts)
        #expect(try await bench.operate("return", "A", ["returnAmount": "100.51"]).errorCode == "118")
        #expect(try await bench.operate("return", "A", ["returnAmount": "100.50"])["bill_amount"] == "-100.50")
        #expect(try await bench.operate("return", "A", ["returnAmount": "0.01"]).errorCode == "118")
        #expect(try await bench.state("A") == ["PAYED 125.50", "RETURN -25.00", "RETURN -100.50"])
        let entries = try #require(try await bench.operate("result", "A").arrayValue)
        #expect(Set(entries.map { $0["shopBillId"]?.stringValue }).count == 3)
        #expect(await bench.sandbox.bills.map(\.returned) == [12_550])
    }

    @Test("A hundred returns at once are carried out as long as there is money")
    func manyReturnsAtOnce() async throws {
        let bench = PortmoneBench()
        try await bench.pay("A")
        let codes = try await withThrowingTaskGroup { group in
            for _ in 0..<100 {
                group.addTask { try await bench.operate("return", "A", ["returnAmount": 10]).errorCode }
            }
            return try await group.reduce(into: [String?: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(codes == ["0": 12, "118": 88])
        #expect(await bench.sandbox.bills.map(\.returned) == [12_000])
    }

    @Test("A wrong operation changes nothing")
    func wrongOperations() async throws {
        let bench = PortmoneBench()
        try await bench.pay("A")
        try await bench.pay("B", ["preauthFlag": "Y"])
        let bill = await bench.sandbox.bills[0].shopBillId
        let tries: [(String, String, JSONObject, String)] = [
            ("return", "A", [:], "104"), ("return", "A", ["returnAmount": .number("1e1")], "107"),
            ("return", "A", ["returnAmount": "-1"], "107"), ("return", "A", ["returnAmount": "1.001"], "107"),
            ("return", "B", ["returnAmount": "1"], "1"), ("return", "C", ["returnAmount": "1"], "6"),
            ("return", "B", ["returnAmount": "1", "shopbillId": .string(bill)], "6"),
            ("return", "A", ["returnAmount": "1", "shopBillId": .string(bill)], "105"),
            ("return", "A", ["returnAmount": "1", "password": "x"], "102"),
            ("return", "A", ["returnAmount": "1", "payeeId": "1186", "login": "OTHER", "password": "another"], "6"),
            ("return", "A", ["returnAmount": "1", "shopbillId": "99999999999999999999"], "6"),
            ("confirmPreauth", "A", ["postauthAmount": "1"], "5"), ("confirmPreauth", "B", [:], "104"),
            ("rejectPreauth", "A", [:], "5"), ("rejectPreauth", "B", ["postauthAmount": "1"], "105"),
            ("closeInvoice", "A", [:], "5"), ("closeInvoice", "B", ["shopbillId": .string(bill)], "105"),
            ("rejectPreauth", "B", ["shopOrderNumber": .null], "104"),
        ]
        for (method, order, data, code) in tries {
            #expect(try await bench.operate(method, order, data).errorCode == code, "\(method) \(order) \(data.names)")
        }
        #expect(try await bench.state("A") == ["PAYED 125.50"])
        #expect(try await bench.state("B") == ["PREAUTH 125.50"])
    }
}
