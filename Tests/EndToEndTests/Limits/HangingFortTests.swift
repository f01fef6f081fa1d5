import Foundation
import OrderedJSON
import OutboundHTTP
import Testing

/// A FORT that takes connections and never answers, for many times its timeout, under steady load: nothing piles up.
@Suite struct HangingFortTests {
    private struct Heard {
        let status: Int
        let problem: String?
        let duration: Duration
    }

    /// Pays these orders again and again, each when its turn has come, whether or not others are answered.
    private func load(_ relay: RunningRelay, with orders: [JSON], for length: Duration) async throws -> [Heard] {
        let interval = Duration.milliseconds(40)
        return try await withThrowingTaskGroup { group in
            let start = ContinuousClock.now
            for number in 0..<Int(length / interval) {
                try await Task.sleep(until: start + interval * number)
                group.addTask {
                    let sent = ContinuousClock.now
                    let answer = try await relay.pay(orders[number % orders.count])
                    return Heard(status: answer.status, problem: answer.problem, duration: sent.duration(to: .now))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func memoryAndLatencyStayFlat() async throws {
        let fort = try SilentServer()
        let relay = try await RunningRelay([
            "PAYRELAY_FORT_ENDPOINT": "http://127.0.0.1:\(fort.port)/", "PAYRELAY_FORT_TIMEOUT_SECONDS": "1",
            "PAYRELAY_FORT_REQUESTS_IN_FLIGHT_MAX": "8", "PAYRELAY_FORT_FAILURES_IN_A_ROW_MAX": "3",
        ])
        let orders = try (1...40).map { _ in try Orders.body().json }
        // Until FORT's timeouts have shown that it hangs.
        let early = try await load(relay, with: orders, for: .seconds(4))
        #expect(relay.program.text.contains("FORT is down"))
        let (memory, files) = (try relay.program.residentBytes, try relay.program.openFiles)
        let uncertain = try #require(try await relay.metric("payrelay_payments_open"))
        #expect((1...16).contains(uncertain))

        let late = try await load(relay, with: orders, for: .seconds(14))
        // Those that were sent are told as they are; of the others nothing is sent any more, and each hears so.
        for heard in early + late {
            #expect(heard.status == 202 || heard.status == 503 || heard.status == 409)
            if heard.status == 503 { #expect(heard.problem == "processor-unreachable") }
        }
        #expect(late.count { $0.status == 503 } > late.count / 2)
        #expect(try await relay.metric("payrelay_payments_open") == uncertain)
        // FORT's timeout is a second: nobody waits for it any more. The median is not moved by what a busy machine does.
        #expect(late.map(\.duration).sorted()[late.count / 2] < .seconds(1))
        #expect(try relay.program.residentBytes < memory + memory / 2)
        #expect(try relay.program.openFiles <= files + 32)
        #expect(try await relay.metric("payrelay_http_requests_under_way") == 0)
    }
}
