import GatewayTestParts
import OutboundHTTP
import PayrelayPrimitives
import SandboxParts
import TestPrograms
import Testing

@testable import PortmoneSandbox

/// The HTTP routes of the gateway.
@Suite(.timeLimit(.minutes(25))) struct GatewayRouteTests {
    @Test("A payment is taken at the gateway's path and answered as JSON in UTF-8")
    func aPaymentIsTaken() async throws {
        let bench = PortmoneBench()
        let payment = PortmoneBench.body("APay", try bench.payment("A"))
        try await RunningPortmone.with(bench.sandbox) { base in
            for type in ["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"] {
                let answer = try await RunningPortmone.post(base + "/r3/api/gateway/", payment, type: type)
                #expect(answer.status == 200 && answer.header("Content-Type") == "application/json; charset=UTF-8")
            }
            #expect(try await RunningPortmone.post(base + "/r3/api/gateway", payment).status == 200)
        }
        #expect(await bench.sandbox.newestBills(limit: 9).map { $0["charge_requests"] } == [4])
    }

    @Test("Another content type, method or path is refused before the gateway sees it")
    func whatIsNoRequestOfTheGateway() async throws {
        let bench = PortmoneBench()
        let payment = PortmoneBench.body("APay", try bench.payment("A"))
        try await RunningPortmone.with(bench.sandbox) { base in
            for type in ["application/x-www-form-urlencoded", "text/json", "application/json; charset=latin1", ""] {
                let answer = try await RunningPortmone.post(base + "/r3/api/gateway/", payment, type: type)
                #expect(answer.status == 415, "\(type)")
            }
            for path in ["/r3/api/gateway/", "/gateway/"] {
                for method in [HTTP.Method.get, .put, .delete] {
                    #expect(try await HTTP.send(method, base + path).status == 405, "\(method) \(path)")
                }
            }
            for path in [
                "/r3/api", "/gateway", "//gateway/", "/gateway//", "/r3/gateway/", "/gateway/?a=b", "/",
            ] {
                #expect(try await RunningPortmone.post(base + path, payment).status == 404, "\(path)")
            }
        }
        #expect(await bench.sandbox.bills.isEmpty)
    }

    @Test("A body beyond the limit is refused unread")
    func aBodyBeyondTheLimit() async throws {
        let bench = PortmoneBench()
        try await RunningPortmone.with(bench.sandbox) { base in
            let body = [UInt8](repeating: UInt8(ascii: " "), count: PortmoneSandbox.bodyLimit + 1)
            let answer = try await RunningPortmone.post(base + "/gateway/", body)
            #expect(answer.status == 413)
        }
    }

    @Test("A body that does not come in time ends its connection, and another request is answered meanwhile")
    func aSlowBody() async throws {
        let bench = PortmoneBench(requestLimit: 2, bodyTimeout: .seconds(5))
        let payment = PortmoneBench.body("APay", try bench.payment("A"))
        try await RunningPortmone.with(bench.sandbox) { base in
            let port = Int(base.split(separator: ":").last ?? "") ?? 0
            async let ended = RawConnection.onThread(port: port) { connection in
                connection.send(
                    "POST /r3/api/gateway/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                        + "Content-Length: 100\r\n\r\n{")
                return connection.read()
            }
            let answer = try await RunningPortmone.post(base + "/r3/api/gateway/", payment)
            let heard = try await ended
            #expect(answer.status == 200 && heard == "")
        }
        #expect(await bench.sandbox.bills.map(\.shopOrderNumber) == ["A"])
    }

    @Test("Requests beyond the limit get the status 503 while others wait, and a stop waits for none of them")
    func requestsBeyondTheLimit() async throws {
        let bench = PortmoneBench(requestLimit: 1)
        bench.sandbox.faults = PortmoneFaultSchedule([PortmoneFaultRule(.chargeAndNeverAnswer, count: 1)])
        let payment = PortmoneBench.body("APay", try bench.payment("A"))
        let other = PortmoneBench.body("APay", try bench.payment("B"))
        let callers = AsyncStream.makeStream(of: Task<OutboundAnswer, any Error>.self)
        try await RunningPortmone.with(bench.sandbox) { base in
            callers.continuation.yield(Task { try await RunningPortmone.post(base + "/r3/api/gateway/", payment) })
            callers.continuation.finish()
            while await bench.sandbox.bills.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            #expect(try await RunningPortmone.post(base + "/r3/api/gateway/", other).status == 503)
        }
        #expect(await bench.sandbox.bills.map(\.shopOrderNumber) == ["A"])
        for await caller in callers.stream {
            if case .success(let answer) = await caller.result { #expect(answer.status == 504) }
        }
    }

    @Test("A foreign web page reaches neither the gateway nor the settings")
    func foreignWebPages() async throws {
        let bench = PortmoneBench()
        try await RunningPortmone.with(bench.sandbox) { base in
            let client = OutboundClient()
            defer { client.shutdown() }
            for path in ["/r3/api/gateway/", "/_sandbox/portmone/notifications"] {
                for (header, status) in [(("Origin", "https://evil.example"), 403), (("Host", "evil.example"), 421)] {
                    let answer = try await client.send(
                        OutboundRequest(
                            url: base + path, headers: [header, ("Content-Type", "application/json")],
                            body: [0x7B, 0x7D], connectTimeout: .seconds(90), timeout: .seconds(300))
                    ).get()
                    #expect(answer.status == status, "\(path) \(header)")
                }
            }
        }
    }

    @Test("The settings of charges are put, shown and taken away over HTTP")
    func charges() async throws {
        let bench = PortmoneBench(ChargeSettings(paymentData: .object))
        try await RunningPortmone.with(bench.sandbox) { base in
            let path = "\(base)/_sandbox/portmone/charges"
            let put = try await HTTP.send(.put, path, #"{"payment_data": "base64", "preauthorization": "always"}"#)
            #expect(put.json == ["payment_data": "base64", "preauthorization": "always"])
            for body in ["[]", #"{"payment_data": "xml"}"#, #"{"preauthorization": true}"#, #"{"another": 1}"#] {
                #expect(try await HTTP.send(.put, path, body).json?["errors"]?.arrayValue?.count == 1, "\(body)")
            }
            #expect(bench.sandbox.charges == ChargeSettings(paymentData: .base64, preauthorization: .always))
            #expect(try await HTTP.send(.delete, path).status == 204)
            #expect(
                try await HTTP.send(.get, path).json == ["payment_data": "object", "preauthorization": "on_request"])
        }
    }
}
