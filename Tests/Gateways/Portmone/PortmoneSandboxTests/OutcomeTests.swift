import PayrelayPrimitives
import SandboxParts
import Testing

@testable import PortmoneSandbox

/// The outcome of a charge that an amount, or the end of an order's number, selects.
@Suite struct OutcomeTests {
    @Test(
        "An amount chooses that the bank declines: the bill is REJECTED and says why",
        arguments: [(10_012, "12"), (10_029, "29"), (10_666, "666"), (10_785, "785")])
    func declines(amount: Int, code: String) async throws {
        let bench = PortmoneBench()
        let answer = try await bench.pay("A", amount: amount)
        #expect(answer["status"] == "REJECTED" && answer["errorCode"] == .string(code) && answer["error"] != "")
        #expect(answer["isNeed3DS"] == "N" && answer["authCode"] == "")
        let entry = try await bench.operate("result", "A").arrayValue?.first
        #expect(entry?["status"] == "REJECTED" && entry?["errorCode"] == .string(code) && entry?["errorMessage"] != "")
        #expect(await bench.sandbox.bills.map(\.isCharged) == [false])
    }

    @Test("A bill that needs the bank's page is CREATED, and REJECTED once it is closed")
    func needs3DS() async throws {
        let bench = PortmoneBench()
        let answer = try await bench.pay("A", amount: 10_300)
        #expect(answer["status"] == "CREATED" && answer["isNeed3DS"] == "Y" && answer["errorCode"] == "0")
        for name in ["actionMPI", "pareq", "md"] { #expect(answer[name] != "" && answer[name] != nil) }
        #expect(try await bench.state("A") == ["CREATED 103.00"])
        #expect(try await bench.operate("return", "A", ["returnAmount": "1"]).errorCode == "1")
        #expect(try await bench.operate("closeInvoice", "A")["status"] == "REJECTED")
        #expect(try await bench.state("A") == ["REJECTED 103.00"])
        #expect(try await bench.operate("closeInvoice", "A").errorCode == "5")
        #expect(await bench.sandbox.bills.map(\.isCharged) == [false])
    }

    @Test("A charge can be paid twice for one order")
    func paidTwice() async throws {
        let bench = PortmoneBench()
        #expect(try await bench.pay("A", amount: 10_002)["status"] == "PAYED")
        #expect(try await bench.state("A") == ["PAYED 100.02", "PAYED 100.02"])
        let bills = await bench.sandbox.bills
        #expect(bills.count == 2 && bills[0].shopBillId != bills[1].shopBillId)
        // One bill is returned by its own number.
        let second: JSONObject = ["shopbillId": .string(bills[1].shopBillId), "returnAmount": "100.02"]
        #expect(try await bench.operate("return", "A", second)["status"] == "RETURN")
        #expect(await bench.sandbox.bills.map(\.returned) == [0, 10_002])
    }

    @Test("A charge can be held, though it did not ask for that")
    func held() async throws {
        let bench = PortmoneBench()
        #expect(try await bench.pay("A", amount: 10_200)["status"] == "PREAUTH")
    }

    @Test("A charge can be carried out and answered with nothing, or never")
    func lostAnswers() async throws {
        let bench = PortmoneBench()
        let empty = await bench.sandbox.reply(
            to: PortmoneBench.body("APay", try bench.payment("A", amount: 15_777)), at: .r3)
        #expect(empty == .answer([]))
        let silent = await bench.sandbox.reply(
            to: PortmoneBench.body("APay", try bench.payment("B", amount: 10_408)), at: .r3)
        #expect(silent == .silence)
        #expect(try await bench.state("A") == ["PAYED 157.77"])
        #expect(try await bench.state("B") == ["PAYED 104.08"])
    }

    @Test("A technical problem makes no bill and leaves the token good")
    func technicalProblem() async throws {
        let bench = PortmoneBench()
        let token = try PortmoneBench.token()
        #expect(try await bench.send("APay", bench.payment("A.charge-10006", token: token)).errorCode == "120")
        #expect(await bench.sandbox.bills.isEmpty)
        #expect(try await bench.send("APay", bench.payment("A", token: token))["status"] == "PAYED")
    }

    @Test("The end of an order's number chooses the outcome of one step, whatever its amount")
    func theOrdersNumberChooses() async throws {
        let bench = PortmoneBench(ChargeSettings(preauthorization: .always))
        #expect(try await bench.pay("A.charge-10666")["status"] == "REJECTED")
        #expect(try await bench.pay("A.void-10666")["status"] == "PREAUTH")
        #expect(try await bench.operate("rejectPreauth", "A.void-10666").errorCode == "666")
        #expect(try await bench.state("A.void-10666") == ["PREAUTH 125.50"])
        let lost = PortmoneBench.changed(
            PortmoneBench.credentials, ["shopOrderNumber": "B.capture-10408", "postauthAmount": "125.50"])
        try await bench.pay("B.capture-10408")
        #expect(await bench.sandbox.reply(to: PortmoneBench.body("confirmPreauth", lost), at: .r3) == .silence)
        #expect(try await bench.state("B.capture-10408") == ["PAYED 125.50"])
    }
}
