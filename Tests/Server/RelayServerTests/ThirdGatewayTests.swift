import Foundation
import GatewayModule
import Logging
import Meridian
import Observability
import OutboundHTTP
import PayrelayPrimitives
import SandboxParts
import ServiceLifecycle
import Testing
import TokenMint

/// A third gateway, in the shape of Stripe's, takes payments through the whole server. It consists of a module and its sandbox:
/// no line of the product knows it.
@Suite struct ThirdGatewayTests {
    @Test("A third gateway charges once for each order, and a decline says why")
    func charges() async throws {
        try await run { server, sandbox in
            let paid = try await server.pay("M-1")
            #expect(paid.status == 200 && paid.json["outcome"] == "captured", "\(paid.json)")
            #expect(paid.json["payment_intent"] == "pi_1000" && paid.json["card_number"] == "************4242")
            let token = try server.aed(10_000)
            let first = try await server.post("/v1/payments", server.order("M-2", 10_000, "AUTHORIZATION", token))
            let second = try await server.post("/v1/payments", server.order("M-2", 10_000, "AUTHORIZATION", token))
            #expect(first.json["outcome"] == "authorized" && first.body == second.body)
            #expect(sandbox.charges(of: "M-2") == 1)
            let declined = try await server.pay("M-3", 10_029)
            #expect(declined.status == 200 && declined.json["outcome"] == "declined")
            #expect(declined.json["response_code"] == "insufficient_funds")
            let wrong = try await server.post("/v1/payments", server.order("M-4", 10_000, "GIFT", token))
            #expect(wrong.status == 400 && wrong.json["errors"]?.arrayValue?.first?["field"] == "command")
        }
    }

    @Test("A hold is captured once or voided, captured money is refunded in parts and never voided")
    func operations() async throws {
        try await run { server, _ in
            _ = try await server.pay("M-1", command: "AUTHORIZATION")
            let captured = try await server.post("/v1/payments/M-1/capture", ["amount": 6_000])
            #expect(captured.json["outcome"] == "partially_captured" && captured.json["captured_amount"] == 6_000)
            let again = try await server.post("/v1/payments/M-1/capture", ["amount": 1_000])
            #expect(again.status == 400 && again.json["errors"]?.arrayValue?.first?["field"] == "command")
            #expect(try await server.post("/v1/payments/M-1/void", [:]).status == 409)
            let part = try await server.post("/v1/payments/M-1/refund", ["amount": 2_000])
            #expect(part.json["outcome"] == "partially_refunded")
            let rest = try await server.post("/v1/payments/M-1/refund", [:])
            #expect(rest.json["outcome"] == "refunded" && rest.json["refunded_amount"] == 6_000, "\(rest.json)")
            _ = try await server.pay("M-2", command: "AUTHORIZATION")
            #expect(try await server.post("/v1/payments/M-2/void", [:]).json["outcome"] == "voided")
        }
    }

    @Test(
        "R10: no answer and a 500 are uncertain, and the query by GET proves the charge", arguments: [10_408, 10_500])
    func uncertain(amount: Int) async throws {
        try await run(timeout: amount == 10_408 ? .seconds(2) : .seconds(30)) { server, sandbox in
            let open = try await server.pay("M-1", amount)
            #expect(open.status == 202 && open.json["outcome"] == "uncertain")
            #expect(try await server.post("/v1/payments/M-1/sync", nil).json["outcome"] == "captured")
            #expect(sandbox.charges(of: "M-1") == 1)
        }
    }

    @Test(
        "R16: a webhook proves nothing: a forged or an old one is refused, a genuine one has the relay query the gateway"
    )
    func webhooks() async throws {
        try await run { server, sandbox in
            #expect(try await server.pay("M-1", 10_500).status == 202)
            let now = Int(Date().timeIntervalSince1970)
            let (body, signature) = try #require(sandbox.event(about: "M-1", at: now))
            let stale = try #require(sandbox.event(about: "M-1", at: now - 301))
            let paid = body + Array(" ".utf8)
            for (bytes, header) in [
                (body, nil), (paid, signature), (body, signature.replacing("t=\(now)", with: "t=\(now + 1)")),
                (stale.body, stale.signature), (body, "t=x,v1=y"),
            ] {
                #expect(try await server.webhook(bytes, header) == 401)
            }
            #expect(try await server.get("/v1/payments/M-1").json["outcome"] == "uncertain")
            #expect(try await server.webhook(body, signature) == 200)
            while try await server.get("/v1/payments/M-1").json["outcome"] != "captured" {
                try await Task.sleep(for: .milliseconds(10))
            }
            // The webhook comes late, and once more. Its content is not news.
            let refunded = try await server.post("/v1/payments/M-1/refund", [:])
            #expect(refunded.json["outcome"] == "refunded")
            for _ in 0..<2 { #expect(try await server.webhook(body, signature) == 200) }
            try await Task.sleep(for: .milliseconds(100))
            #expect(try await server.get("/v1/payments/M-1").json["outcome"] == "refunded")
        }
    }

    @Test("A third gateway's answers are searched, listed and shown")
    func searches() async throws {
        try await run { server, _ in
            _ = try await server.pay("M-1")
            for query in [
                "processor=meridian", "payment_intent=pi_1000", "account=shop", "card_last_four=4242",
                "card_network=visa",
            ] {
                let found = try await server.get("/v1/payments?\(query)")
                let payments = found.json["payments"]?.arrayValue ?? []
                #expect(payments.map { $0["merchant_reference"] } == ["M-1"], "\(query) \(found.json)")
                #expect(payments.first?["payment_intent"] == "pi_1000")
            }
            let shown = try await server.get("/v1/payments/M-1").json
            #expect(shown["processor_response"]?["id"] == "pi_1000" && shown["processor"] == "meridian")
            let ready = try await server.admin("/ready").json["meridian"]?.arrayValue?.first
            #expect(ready?["account"] == "shop" && ready?["state"] == "answering" && ready?["chargeable"] == true)
        }
    }

    @Test("An account whose key the gateway refuses is not charged")
    func unverified() async throws {
        try await run(key: "another") { server, sandbox in
            let refused = try await server.pay("M-1")
            #expect(refused.status == 503 && sandbox.charges(of: "M-1") == 0, "\(refused.json)")
        }
    }

    private func run(
        timeout: Duration = .seconds(30), key: String = "sk",
        _ test: @escaping @Sendable (LedgerServer, MeridianSandbox) async throws -> Void
    ) async throws {
        let sandbox = MeridianSandbox(key: "sk", webhookSecret: "whsec")
        let logger = Logger(label: "test") { LineLogHandler(label: $0, level: .critical, output: { _ in }) }
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let service = SandboxService([sandbox], port: 0, logger: logger, onListening: { listening.yield($0) })
        let group = ServiceGroup(configuration: .init(services: [service], logger: logger))
        let client = OutboundClient()
        defer { client.shutdown() }
        try await withThrowingTaskGroup { tasks in
            tasks.addTask { try await group.run() }
            var ports = ports.makeAsyncIterator()
            let port = try #require(await ports.next())
            let account = MeridianAccount(
                identifier: "acct_1", secretKey: Secret(key), webhookSecret: Secret("whsec"))
            let accounts = try MeridianAccounts([.init(name: "shop", currencies: [.AED], account: account)])
            let module = MeridianModule(
                accounts: accounts, endpoint: MeridianSandbox.address(at: port).endpoint, timeout: timeout)
            let connected = try module.connect(over: client, registry: MetricsRegistry(), logger: logger)
            let gateway = GatewayBehind(
                gateway: connected.gateway, fields: MeridianModule.answerFields,
                availability: { connected.availability }, services: connected.services,
                routes: { connected.routes(relay: $0, bodyLimit: 65_536) })
            do {
                try await LedgerServer.run(gateway: gateway) { try await test($0, sandbox) }
            } catch {
                Issue.record(error)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}

extension LedgerServer {
    fileprivate func aed(_ amount: Int) throws -> JSON {
        try TokenMint().mint(TokenContents(amount: amount, currency: "AED"), signedAt: Date())
    }

    fileprivate func order(_ reference: String, _ amount: Int, _ command: String, _ token: JSON) -> JSON {
        [
            "command": .string(command), "merchant_reference": .string(reference), "amount": JSON(amount),
            "currency": "AED", "token": token,
        ]
    }

    fileprivate func pay(
        _ reference: String, _ amount: Int = 10_000, command: String = "PURCHASE"
    ) async throws -> Answer {
        try await post("/v1/payments", order(reference, amount, command, aed(amount)))
    }

    /// - Returns: The status of the answer.
    fileprivate func webhook(_ body: [UInt8], _ signature: String?) async throws -> Int {
        try await client.send(
            OutboundRequest(
                url: "http://127.0.0.1:\(port)/v1/meridian/webhooks",
                headers: [(name: "Content-Type", value: "application/json")]
                    + (signature.map { [(name: "Meridian-Signature", value: $0)] } ?? []), body: body)
        ).get().status
    }
}
