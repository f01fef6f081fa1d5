import FortAPI
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import SandboxParts
import Testing

@testable import FortSandbox

@Suite(.timeLimit(.minutes(25)))
struct FortSandboxServiceTests {
    @Test func paymentsAreTakenAtFORTsPath() async throws {
        let bench = try SandboxBench()
        try await RunningSandbox.with(bench.sandbox) { base in
            let transport = OutboundClient()
            defer { transport.shutdown() }
            let client = FortClient(
                account: bench.account, endpoint: try GatewayEndpoint("\(base)/FortAPI/paymentApi"),
                transport: transport)
            let paid = await client.exchange(try bench.payment("A"), timeout: .seconds(900))
            #expect(try paid.proven.get().class == .success)
            let found = try await client.send(
                FortRequest(statusOf: "A"), timeout: .seconds(900)
            ).get()
            #expect(found.transactionState == .captured)
        }
    }

    @Test(arguments: [0, 1, 2_500])
    func theOrdersCanBeRead(count: Int) async throws {
        let bench = try SandboxBench()
        for number in 0..<count { _ = try await bench.sandbox.books.enter("ORDER-\(number)") }
        try await RunningSandbox.with(bench.sandbox) { base in
            let answer = try await exchange(.get, "\(base)/_sandbox/orders")
            #expect(answer.status == 200 && answer.header("Content-Type") == "application/json")
            let orders = try #require(try JSON(parsing: answer.body).arrayValue)
            #expect(orders.map { $0["merchant_reference"]?.stringValue } == (0..<count).map { "ORDER-\($0)" })
            #expect(orders.allSatisfy { $0["charged"] == true && $0["amount"] == 10_000 && $0["currency"] == "AED" })
        }
    }

    @Test func aBodyThatIsNotJSONGetsFORTsAnswer() async throws {
        let bench = try SandboxBench()
        try await RunningSandbox.with(bench.sandbox) { base in
            let answer = try await exchange(.post, "\(base)/FortAPI/paymentApi", body: Array("<xml/>".utf8))
            #expect(answer.status == 200)
            #expect(try JSON(parsing: answer.body)["response_code"] == "00073")
        }
    }

    @Test func aBodyBeyondTheLimitIsRefusedUnread() async throws {
        let (exchanges, observed) = AsyncStream.makeStream(of: SandboxExchange.self)
        let sandbox = FortSandbox(accounts: try SandboxBench().sandbox.accounts, observe: { observed.yield($0) })
        try await RunningSandbox.with(sandbox) { base in
            let body = [UInt8](repeating: UInt8(ascii: " "), count: 1_048_577)
            let answer = try await exchange(.post, "\(base)/FortAPI/paymentApi", body: body)
            #expect(answer.status == 413)
        }
        observed.finish()
        #expect(await exchanges.first { _ in true } == nil)
    }

    /// A silent answer lasts ten minutes, and this test may take only eight.
    @Test(.timeLimit(.minutes(8))) func aSilentAnswerDoesNotHoldUpAStop() async throws {
        let bench = try SandboxBench()
        let payment = try bench.payment("A", amount: 10_408)
        let callers = AsyncStream.makeStream(of: Task<OutboundAnswer, any Error>.self)
        try await RunningSandbox.with(bench.sandbox) { base in
            callers.continuation.yield(
                Task { try await exchange(.post, "\(base)/FortAPI/paymentApi", body: payment.body) })
            callers.continuation.finish()
            while await bench.sandbox.orders.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        }
        // Whatever the stop does to the connection, the client gets no answer from FORT.
        for await caller in callers.stream {
            if case .success(let answer) = await caller.result { #expect(answer.status == 504) }
        }
    }

    private func exchange(
        _ method: OutboundRequest.Method, _ url: String, body: [UInt8] = []
    ) async throws -> OutboundAnswer {
        let client = OutboundClient()
        defer { client.shutdown() }
        return try await client.send(
            OutboundRequest(
                method: method, url: url, body: body, connectTimeout: .seconds(90), timeout: .seconds(900),
                answerLimit: 8 << 20)
        ).get()
    }
}
