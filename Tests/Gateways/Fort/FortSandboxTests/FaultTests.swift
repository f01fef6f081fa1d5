import FortAPI
import GatewayTestParts
import OutboundHTTP
import PayrelayPrimitives
import SandboxParts
import Testing

@testable import FortSandbox

/// Each fault over a real connection: the outcome for a client of FORT, and whether the customer was charged.
@Suite(.timeLimit(.minutes(25)))
struct FaultTests {
    private enum Seen: Equatable {
        case success
        case noAnswer
        case unverified(FortAnswerError)
    }

    @Test(arguments: SandboxFault.allCases)
    func everyFaultIsSeenByTheClient(fault: SandboxFault) async throws {
        let bench = try SandboxBench()
        bench.sandbox.faults = FaultSchedule([FaultRule(fault, command: .purchase, count: 1, seconds: 0.2)])
        let payment = try bench.payment("A")
        try await RunningSandbox.with(bench.sandbox) { base in
            let transport = OutboundClient()
            defer { transport.shutdown() }
            let client = FortClient(
                account: bench.account, endpoint: try GatewayEndpoint("\(base)/FortAPI/paymentApi"),
                transport: transport)
            let exchange = Task { await client.exchange(payment, timeout: .seconds(3_600)).outcome }
            if [.neverAnswer, .chargeAndNeverAnswer].contains(fault) {
                while bench.sandbox.faults.struck != [1] { try await Task.sleep(for: .milliseconds(5)) }
                if fault.isCarriedOut {
                    while await bench.sandbox.orders.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
                }
                try await Task.sleep(for: .seconds(1))
                exchange.cancel()
            }
            let seen = Self.seen(await exchange.value)
            switch fault {
            case .neverAnswer, .chargeAndNeverAnswer, .reset, .truncate: #expect(seen == .noAnswer)
            case .garbage:
                guard case .unverified(.notJSON) = seen else {
                    Issue.record("\(seen)")
                    return
                }
            case .wrongSignature: #expect(seen == .unverified(.wrongSignature(saying: FortCode("14000"))))
            case .otherOrder: #expect(seen == .unverified(.foreign(parameter: "merchant_reference")))
            case .http500: #expect(seen == .unverified(.httpStatus(500)))
            case .slow: #expect(seen == .success)
            }
            // The next request meets no fault, and finds an order if one was charged.
            let found = try await client.send(FortRequest(statusOf: "A"), timeout: .seconds(900)).get()
            #expect(found["response_code"] == (fault.isCarriedOut ? "12000" : "12036"))
        }
        #expect(await bench.sandbox.orders.count == (fault.isCarriedOut ? 1 : 0))
        #expect(bench.sandbox.faults.struck == [1])
    }

    private static func seen(_ outcome: Outcome<Result<FortAnswer, FortAnswerError>>) -> Seen {
        switch outcome {
        case .answered(.success(let answer)):
            answer.class == .success ? .success : .unverified(.noResponseCode)
        case .answered(.failure(let error)): .unverified(error)
        case .notSent, .unknown: .noAnswer
        }
    }

    @Test func aScheduleIsPutShownAndTakenAway() async throws {
        let bench = try SandboxBench()
        try await RunningSandbox.with(bench.sandbox) { base in
            let path = "\(base)/_sandbox/faults"
            let put = try await HTTP.send(
                .put, path, #"{"seed": 5, "faults": [{"fault": "garbage", "probability": 1, "count": 1}]}"#)
            #expect(put.status == 200)
            let body = try bench.query("A").body
            let struck = try await HTTP.send(.post, "\(base)/FortAPI/paymentApi", String(decoding: body, as: UTF8.self))
            #expect(struck.status == 200 && struck.json == nil)
            let shown = try await HTTP.send(.get, path)
            #expect(shown.json?["faults"]?.arrayValue?.first?["struck"] == 1)
            #expect(try await HTTP.send(.delete, path).status == 204)
            #expect(bench.sandbox.faults.rules.isEmpty)
        }
    }

    @Test func anInvalidScheduleChangesNothing() async throws {
        let bench = try SandboxBench()
        bench.sandbox.faults = FaultSchedule([FaultRule(.reset, command: .purchase)])
        try await RunningSandbox.with(bench.sandbox) { base in
            for body in [#"{"faults": [{"fault": "explode"}]}"#, "{", ""] {
                let refused = try await HTTP.send(.put, "\(base)/_sandbox/faults", body)
                #expect(refused.status == 400 && refused.json?["errors"]?.arrayValue?.count == 1)
            }
        }
        #expect(bench.sandbox.faults.rules.count == 1)
    }
}
