import GatewayTestParts
import PayrelayPrimitives
import Testing

@testable import PortmoneSandbox

@Suite(.timeLimit(.minutes(25))) struct BillBooksTests {
    @Test("The books are read over HTTP: amounts are whole numbers of minor units")
    func theBooksOverHTTP() async throws {
        let bench = PortmoneBench()
        try await bench.pay("A")
        try await bench.pay("B", ["preauthFlag": "Y"])
        _ = try await bench.operate("return", "A", ["returnAmount": "0.50"])
        _ = try await bench.operate("confirmPreauth", "B", ["postauthAmount": "100"])
        try await RunningPortmone.with(bench.sandbox) { base in
            let books = try await HTTP.send(.get, "\(base)/_sandbox/portmone/bills").json?.arrayValue
            let first: JSON = [
                "shop_bill_id": "550000000", "shop_order_number": "A", "payee_id": "1185", "status": "PAYED",
                "amount": 12_550, "currency": "UAH", "charged": true, "paid_amount": 12_550, "returned_amount": 50,
                "voided": false, "captures": 0, "returns": 1, "charge_requests": 1,
            ]
            #expect(books?.first == first && books?.count == 2)
            #expect(books?.last?["status"] == "PAYED" && books?.last?["paid_amount"] == 10_000)
            #expect(books?.last?["captures"] == 1 && books?.last?["amount"] == 12_550)
        }
    }

    @Test("A new bill replaces the oldest, whose order is then unknown and whose token is forgotten")
    func theOldestIsForgotten() async throws {
        let bench = PortmoneBench(billLimit: 3)
        let token = try PortmoneBench.token()
        _ = try await bench.send("APay", bench.payment("A", token: token))
        for order in ["B", "B", "C"] { try await bench.pay(order) }
        #expect(try await bench.state("A") == [])
        #expect(try await bench.state("B").count == 2)
        #expect(try await bench.operate("result", "A", ["shopbillId": "550000000"]) == [])
        #expect(try await bench.operate("return", "A", ["returnAmount": "1"]).errorCode == "6")
        #expect(try await bench.send("APay", bench.payment("D", token: token))["status"] == "PAYED")
        #expect(try await bench.state("B").count == 1)
        #expect(await bench.sandbox.bills.map(\.shopOrderNumber) == ["B", "C", "D"])
    }

    @Test("Both bills of an order that is paid twice keep its token used, until both are forgotten")
    func bothBillsAreForgotten() async throws {
        let bench = PortmoneBench(billLimit: 2)
        let token = try PortmoneBench.token(10_002)
        let twice = try bench.payment("A", amount: 10_002, token: token)
        _ = try await bench.send("APay", twice)
        #expect(try await bench.send("APay", twice).errorCode == "112")
        try await bench.pay("B")
        #expect(try await bench.send("APay", twice).errorCode == "112")
        try await bench.pay("C")
        #expect(try await bench.send("APay", twice)["status"] == "PAYED")
    }
}
