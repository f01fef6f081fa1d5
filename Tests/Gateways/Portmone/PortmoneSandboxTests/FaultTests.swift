import GatewayTestParts
import OutboundHTTP
import PayrelayPrimitives
import SandboxParts
import Testing

@testable import PortmoneSandbox

/// Each fault over a real connection: the outcome for a client, and whether the customer was charged.
@Suite(.timeLimit(.minutes(25))) struct FaultTests {
    @Test("A fault is seen by the client, and strikes once", arguments: PortmoneFault.allCases)
    func everyFaultIsSeenByTheClient(fault: PortmoneFault) async throws {
        let bench = PortmoneBench()
        bench.sandbox.faults = PortmoneFaultSchedule([PortmoneFaultRule(fault, command: .aPay, count: 1, seconds: 0.2)])
        let payment = PortmoneBench.body("APay", try bench.payment("A"))
        try await RunningPortmone.with(bench.sandbox) { base in
            let url = base + GatewayPath.r3.rawValue
            let exchange = Task { try await RunningPortmone.post(url, payment, timeout: .seconds(3_600)) }
            if [.neverAnswer, .chargeAndNeverAnswer].contains(fault) {
                while bench.sandbox.faults.struck != [1] { try await Task.sleep(for: .milliseconds(5)) }
                if fault.isCarriedOut {
                    while await bench.sandbox.bills.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
                }
                try await Task.sleep(for: .seconds(1))
                exchange.cancel()
            }
            let answer = try? await exchange.value
            let result = answer.flatMap { try? JSON(parsing: $0.body) }?["result"]
            switch fault {
            case .neverAnswer, .chargeAndNeverAnswer, .reset, .truncate: #expect(answer == nil)
            case .garbage: #expect(answer?.status == 200 && answer?.body.isEmpty == false && result == nil)
            case .empty: #expect(answer?.status == 200 && answer?.body.isEmpty == true)
            case .otherOrder: #expect(result?["status"] == "PAYED" && result?["billNumber"] == "ANOTHER-ORDER")
            case .http500: #expect(answer?.status == 500)
            case .slow, .wholeHold, .unpaidBillBeside, .failedBillBeside: #expect(result?["billNumber"] == "A")
            case .errorThenDone:
                #expect(result?["errorCode"] == "120")
                bench.wait(seconds: 1)
            }
        }
        // The next request meets no fault, and finds an order if one was charged.
        #expect(try await bench.state("A") == (fault.isCarriedOut ? ["PAYED 125.50"] : []))
        #expect(bench.sandbox.faults.struck == [1])
    }

    @Test("A return can be answered with an error and be carried out later")
    func errorThenDone() async throws {
        let bench = PortmoneBench()
        _ = try await bench.pay("A")
        bench.sandbox.faults = PortmoneFaultSchedule([
            PortmoneFaultRule(.errorThenDone, command: .return, count: 1, seconds: 60)
        ])
        #expect(try await bench.operate("return", "A", ["returnAmount": "10"]).errorCode == "120")
        #expect(try await bench.state("A") == ["PAYED 125.50"])
        bench.wait(seconds: 59)
        #expect(try await bench.state("A") == ["PAYED 125.50"])
        bench.wait(seconds: 1)
        #expect(try await bench.state("A") == ["PAYED 125.50", "RETURN -10.00"])
        #expect(await bench.sandbox.bills.map(\.returned) == [1_000])
    }

    @Test("A capture can take the whole hold, whatever amount it requests")
    func wholeHold() async throws {
        let bench = PortmoneBench()
        #expect(try await bench.pay("A", amount: 10_200)["status"] == "PREAUTH")
        bench.sandbox.faults = PortmoneFaultSchedule([PortmoneFaultRule(.wholeHold)])
        _ = try await bench.operate("confirmPreauth", "A", ["postauthAmount": "10"])
        #expect(await bench.sandbox.bills.map(\.paid) == [10_200])
        #expect(try await bench.state("A") == ["PAYED 102.00"])
    }

    @Test(
        "The answer to result can have another bill of the order, without money",
        arguments: [(PortmoneFault.unpaidBillBeside, "CREATED"), (.failedBillBeside, "REJECTED")])
    func billBeside(fault: PortmoneFault, status: String) async throws {
        let bench = PortmoneBench()
        _ = try await bench.pay("A")
        bench.sandbox.faults = PortmoneFaultSchedule([PortmoneFaultRule(fault)])
        let bills = try await bench.operate("result", "A").arrayValue ?? []
        #expect(bills.map { $0["status"] } == ["PAYED", .string(status)])
        #expect(bills.last?["shopOrderNumber"] == "A" && bills.last?["billAmount"] == "1.00")
        #expect(await bench.sandbox.bills.count == 1)
    }

    @Test("A fault for one method leaves the others alone, even if the body names no method")
    func aFaultForOneMethod() async throws {
        let bench = PortmoneBench()
        bench.sandbox.faults = PortmoneFaultSchedule([PortmoneFaultRule(.http500, command: .result)])
        #expect(try await bench.pay("A")["status"] == "PAYED")
        #expect(await bench.sandbox.reply(to: Array("{}".utf8), at: .r3) != .failure)
        let query = PortmoneBench.body(
            "result", PortmoneBench.changed(PortmoneBench.credentials, ["shopOrderNumber": "A"]))
        #expect(await bench.sandbox.reply(to: query, at: .gateway) == .failure)
    }

    @Test("Faults are put, shown and taken away over HTTP; a wrong schedule changes nothing")
    func overHTTP() async throws {
        let bench = PortmoneBench()
        try await RunningPortmone.with(bench.sandbox) { base in
            let path = "\(base)/_sandbox/portmone/faults"
            let put = try await HTTP.send(
                .put, path, #"{"seed": 5, "faults": [{"fault": "empty", "method": "APay", "count": 1}]}"#)
            #expect(put.status == 200)
            for body in [
                #"{"faults": [{"fault": "wrong_signature"}]}"#, "{",
                #"{"faults": [{"fault": "reset", "command": "APay"}]}"#,
                #"{"faults": [{"fault": "reset", "method": "PURCHASE"}]}"#,
            ] {
                let refused = try await HTTP.send(.put, path, body)
                #expect(refused.status == 400 && refused.json?["errors"]?.arrayValue?.count == 1, "\(body)")
            }
            #expect(bench.sandbox.faults.rules == [PortmoneFaultRule(.empty, command: .aPay, count: 1)])
            let payment = PortmoneBench.body("APay", try bench.payment("A"))
            #expect(await bench.sandbox.reply(to: payment, at: .r3) == .answer([]))
            #expect(try await HTTP.send(.get, path).json?["faults"]?.arrayValue?.first?["struck"] == 1)
            #expect(try await HTTP.send(.delete, path).status == 204)
            #expect(bench.sandbox.faults.rules.isEmpty)
        }
    }
}
