import PayrelayPrimitives
import Testing

@testable import PortmoneSandbox

@Suite struct StatusQueryTests {
    /// The members of published answers.
    private static let members = [
        "payee_id", "payee_name", "payee_commission", "description", "status", "billAmount", "attribute1", "attribute2",
        "attribute3", "attribute4", "attribute5", "commission", "bank_id", "bank_name", "terminal_id", "merchant_id",
        "rrn", "pay_date", "payee_export_date", "payee_export_flag", "pay_order_date", "pay_order_number",
        "pay_order_amount", "chargeback", "shopBillId", "shopOrderNumber", "errorCode", "errorMessage", "authCode",
        "cardMask", "cardTypeName", "token", "gateType",
    ]

    @Test("An order's bills come as an array, bare at /gateway/, with the published members, all of them strings")
    func anOrdersBills() async throws {
        let bench = PortmoneBench()
        let bill = try await bench.pay("A")["shopBillId"]
        for path in GatewayPath.allCases {
            let result = try await bench.operate("result", "A", at: path)
            let entry = try #require(result.arrayValue?.first)
            #expect(result.arrayValue?.count == 1 && result.hasOnlyTexts)
            #expect(entry.objectValue.map { Set($0.names) } == Set(Self.members))
            #expect(entry["payee_id"] == "1185" && entry["shopOrderNumber"] == "A" && entry["shopBillId"] == bill)
            #expect(entry["pay_date"]?.stringValue?.utf8.count == "dd.MM.yyyy HH:mm:ss".utf8.count)
        }
    }

    @Test("A bill is found by its number, its status and its day; an unknown bill gives an empty array")
    func queries() async throws {
        let bench = PortmoneBench()
        let bill = try #require(try await bench.pay("A")["shopBillId"])
        func count(_ data: JSONObject) async throws -> Int? {
            try await bench.send("result", PortmoneBench.changed(PortmoneBench.credentials, data)).arrayValue?.count
        }
        let days: JSONObject = ["startDate": "01.01.2000", "endDate": "31.12.2099"]
        let past: JSONObject = ["startDate": "01.01.2000", "endDate": "31.12.2000"]
        #expect(try await count(["shopbillId": bill]) == 1)
        #expect(try await count(["shopbillId": bill, "shopOrderNumber": "A"]) == 1)
        #expect(try await count(["shopbillId": bill, "shopOrderNumber": "B"]) == 0)
        #expect(try await count(["shopOrderNumber": "A", "status": "PAYED"]) == 1)
        #expect(try await count(["shopOrderNumber": "A", "status": "REJECTED"]) == 0)
        #expect(try await count(PortmoneBench.changed(["shopOrderNumber": "A"], days)) == 1)
        #expect(try await count(PortmoneBench.changed(["shopOrderNumber": "A"], past)) == 0)
        for unknown in ["B", "a", "A "] { #expect(try await count(["shopOrderNumber": .string(unknown)]) == 0) }
        for unknown in ["1", "0550000000", "+550000000", "550000001", "٥"] {
            #expect(try await count(["shopbillId": .string(unknown)]) == 0)
        }
    }

    @Test("Without days it shows the last month alone")
    func lastMonth() async throws {
        let bench = PortmoneBench()
        try await bench.pay("A")
        let days: JSONObject = ["startDate": "01.01.2000", "endDate": "31.12.2099"]
        bench.wait(seconds: 29 * 86_400)
        #expect(try await bench.state("A") == ["PAYED 125.50"])
        bench.wait(seconds: 6 * 86_400)
        #expect(try await bench.state("A") == [])
        #expect(try await bench.operate("result", "A", days).arrayValue?.count == 1)
        // Each entry counts on its own day.
        _ = try await bench.operate("return", "A", ["returnAmount": "1.00"])
        #expect(try await bench.state("A") == ["RETURN -1.00"])
        #expect(try await bench.operate("result", "A", days).arrayValue?.count == 2)
    }

    @Test("A payee does not see another payee's bills")
    func anotherPayeesBills() async throws {
        let bench = PortmoneBench()
        let bill = try #require(try await bench.pay("A")["shopBillId"])
        let other: JSONObject = ["payeeId": "1186", "login": "OTHER", "password": "another"]
        #expect(try await bench.operate("result", "A", other) == [])
        #expect(try await bench.operate("result", "A", PortmoneBench.changed(other, ["shopbillId": bill])) == [])
    }

    @Test("A wrong query is an object with an error")
    func wrongQueries() async throws {
        let bench = PortmoneBench()
        let tries: [(JSONObject, String)] = [
            (["shopOrderNumber": .null], "104"), (["password": "x"], "102"), (["status": "PAID"], "106"),
            (["startDate": "2020-01-01", "endDate": "01.01.2020"], "106"), (["startDate": "01.01.2020"], "104"),
            (["startDate": "02.01.2020", "endDate": "01.01.2020"], "106"),
            (["startDate": "32.01.2020", "endDate": "01.02.2020"], "106"), (["shopBillId": "1"], "105"),
        ]
        for (change, code) in tries {
            #expect(try await bench.operate("result", "A", change).errorCode == code, "\(change.names)")
        }
    }

    @Test("An order's number may be sent as a whole number")
    func aNumberAsANumber() async throws {
        let bench = PortmoneBench()
        #expect(try await bench.pay("x", ["shopOrderNumber": 4711])["billNumber"] == "4711")
        #expect(try await bench.state("4711") == ["PAYED 125.50"])
    }
}
