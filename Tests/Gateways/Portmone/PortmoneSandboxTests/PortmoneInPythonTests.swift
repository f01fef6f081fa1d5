import PayrelayPrimitives
import SandboxParts
import Testing

@testable import PortmoneSandbox

/// An independent client pays through the sandbox, and both have the same books.
@Suite(.enabled(if: PortmoneInPython.isInstalled), .timeLimit(.minutes(25))) struct PortmoneInPythonTests {
    private func command(_ verb: String, _ order: String, _ more: JSONObject = [:]) -> JSON {
        .object(PortmoneBench.changed(["do": .string(verb), "order": .string(order)], more))
    }

    /// - Parameter amount: The amount in minor units.
    private func charge(_ verb: String, _ order: String, _ amount: Int) throws -> JSON {
        command(
            verb, order,
            [
                "amount": .string(DecimalAmount.write(amount, exponent: 2)), "currency": "UAH",
                "token": try PortmoneBench.token(amount),
            ])
    }

    @Test(
        "It pays, holds, confirms, rejects, returns, closes and queries, in every encoding of the token",
        arguments: PaymentDataEncoding.allCases)
    func everyOperation(encoding: PaymentDataEncoding) async throws {
        let bench = PortmoneBench(ChargeSettings(paymentData: encoding))
        let commands = [
            try charge("pay", "PAID", 12_550), try charge("hold", "HELD", 20_000), try charge("hold", "VOID", 5),
            try charge("pay", "WAITS", 10_300), try charge("pay", "NO", 10_666), try charge("pay", "TWICE", 10_002),
            command("refund", "PAID", ["amount": "25.50"]),
            command("refund", "PAID", ["amount": "100.00", "at": "gateway"]),
            command("refund", "PAID", ["amount": "0.01"]), command("confirm", "HELD", ["amount": "150.00"]),
            command("reject", "VOID", ["at": "gateway"]), command("close", "WAITS"),
            command("ask", "PAID", ["at": "gateway"]),
            command("ask", "UNKNOWN"), command("link", "LINK", ["amount": "10.50", "currency": "UAH"]),
        ]
        let told = try await carryOut(commands, bench, encoding)
        #expect(told.count == commands.count)
        #expect(told[0]["paid"] == "125.50" && told[1]["held"] == "200.00" && told[2]["held"] == "0.05")
        #expect(told[3]["needs_3ds"] == true && told[4]["bills"]?.objectValue?.members.first?.value == "REJECTED")
        #expect(told[5]["paid_twice"] == true)
        #expect(told[6]["returned"] == "25.50" && told[7]["returned"] == "125.50")
        #expect(told[8]["error"] == "Refused" && told[8]["detail"]?.stringValue?.hasPrefix("118 ") == true)
        #expect(told[9]["paid"] == "150.00" && told[10]["bills"]?.objectValue?.members.first?.value == "REJECTED")
        #expect(told[11]["bills"]?.objectValue?.members.first?.value == "REJECTED")
        #expect(told[12]["paid"] == "125.50" && told[12]["returned"] == "125.50")
        #expect(told[13]["bills"] == [:] && told[14]["link"] != nil)
        #expect(
            await books(bench) == [
                "PAID PAYED 12550 of 12550, returned 12550", "HELD PAYED 15000 of 20000, returned 0",
                "VOID REJECTED 0 of 5, returned 0", "WAITS REJECTED 0 of 10300, returned 0",
                "NO REJECTED 0 of 10666, returned 0", "TWICE PAYED 10002 of 10002, returned 0",
                "TWICE PAYED 10002 of 10002, returned 0",
            ])
    }

    @Test("Charges are held as the sandbox is configured")
    func preauthorization() async throws {
        let bench = PortmoneBench(ChargeSettings(preauthorization: .always))
        let commands = [try charge("pay", "A", 700), command("confirm", "A", ["amount": "7.00"])]
        let held = try await carryOut(commands, bench, .jsonString)
        #expect(held[0]["held"] == "7.00" && held[0]["paid"] == "0" && held[1]["paid"] == "7.00")
        bench.sandbox.charges.preauthorization = .never
        let refused = try await carryOut([try charge("hold", "B", 700)], bench, .jsonString)
        #expect(refused[0]["detail"]?.stringValue?.hasPrefix("110 ") == true)
        #expect(await books(bench) == ["A PAYED 700 of 700, returned 0"])
    }

    @Test(
        "If an answer is lost, the client queries and learns the outcome; an answer that proves nothing is not believed"
    )
    func lostAnswers() async throws {
        let bench = PortmoneBench()
        bench.sandbox.faults = PortmoneFaultSchedule([
            PortmoneFaultRule(.reset, command: .aPay, count: 1), PortmoneFaultRule(.garbage, command: .aPay, count: 1),
            PortmoneFaultRule(.empty, command: .aPay, count: 1),
            PortmoneFaultRule(.otherOrder, command: .aPay, count: 1),
            PortmoneFaultRule(.http500, command: .aPay, count: 1),
            PortmoneFaultRule(.empty, command: .return, count: 1),
        ])
        let orders = ["RESET", "GARBAGE", "EMPTY", "OTHER", "FAILED"]
        let commands =
            try orders.map { try charge("pay", $0, 700) } + [command("refund", "EMPTY", ["amount": "3.00"])]
        let told = try await carryOut(commands, bench, .jsonString)
        for place in 0...2 { #expect(told[place]["paid"] == "7.00", "\(told[place])") }
        for place in 3...4 { #expect(told[place]["error"] == "Unbelievable", "\(told[place])") }
        #expect(told[5]["returned"] == "3.00")
        #expect(
            await books(bench) == [
                "RESET PAYED 700 of 700, returned 0", "GARBAGE PAYED 700 of 700, returned 0",
                "EMPTY PAYED 700 of 700, returned 300", "OTHER PAYED 700 of 700, returned 0",
            ])
    }

    private func carryOut(
        _ commands: [JSON], _ bench: PortmoneBench, _ encoding: PaymentDataEncoding
    ) async throws -> [JSON] {
        let (told, telling) = AsyncStream.makeStream(of: [JSON].self)
        try await RunningPortmone.with(bench.sandbox) { base in
            telling.yield(try await PortmoneInPython.carryOut(commands, url: base, paymentData: encoding.rawValue))
        }
        telling.finish()
        return await told.first { _ in true } ?? []
    }

    private func books(_ bench: PortmoneBench) async -> [String] {
        await bench.sandbox.bills.map {
            "\($0.shopOrderNumber) \($0.status.rawValue) \($0.paid) of \($0.amount), returned \($0.returned)"
        }
    }
}
