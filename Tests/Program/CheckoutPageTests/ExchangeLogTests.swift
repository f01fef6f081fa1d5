import PayrelayPrimitives
import SandboxParts
import Testing

@testable import payrelay_dev

/// The record of payments that the checkout page shows is bounded.
@Suite struct ExchangeLogTests {
    private func exchange(_ reference: String, client: String? = nil, text: String = "{}") -> RecordedExchange {
        RecordedExchange(reference, .client(client), [("request", .string(text))])
    }

    @Test("of more exchanges than are kept, the oldest are forgotten")
    func theOldestAreForgotten() {
        let log = ExchangeLog(limit: 3)
        for number in 1...5 { log.record(exchange("ORDER-\(number)")) }
        #expect((1...5).map { log.exchanges(of: "ORDER-\($0)", client: nil).count } == [0, 0, 1, 1, 1])
    }

    @Test("of more bytes than are kept, the oldest exchanges are forgotten, and one that is too long is not kept")
    func bytesAreBounded() {
        let log = ExchangeLog(byteLimit: 100)
        for number in 1...3 { log.record(exchange("ORDER-\(number)", text: String(repeating: "a", count: 40))) }
        #expect((1...3).map { log.exchanges(of: "ORDER-\($0)", client: nil).count } == [0, 1, 1])
        log.record(exchange("LONG", text: String(repeating: "a", count: 101)))
        #expect(log.exchanges(of: "LONG", client: nil).isEmpty)
        #expect(log.exchanges(of: "ORDER-3", client: nil).isEmpty)
    }

    @Test("a client sees the exchanges of its own payments only, and the gateway's part of them")
    func clientsDoNotSeeEachOther() throws {
        let log = ExchangeLog()
        log.record(exchange("ORDER-1", client: "shop"))
        log.record(GatewayExchange(with: "fort", about: "ORDER-1", request: "{}", reply: .silence))
        let own = log.exchanges(of: "ORDER-1", client: "shop")
        #expect(own.map { $0["with"] } == ["client", "fort"])
        #expect(own.last?["remark"] == "no answer")
        #expect(log.exchanges(of: "ORDER-1", client: "other").isEmpty)
        // Without authentication there is only one client.
        #expect(log.exchanges(of: "ORDER-1", client: nil) == own)
    }
}
