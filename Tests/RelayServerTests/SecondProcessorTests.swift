import ApplePayToken
import Foundation
import HTTPListener
import Hummingbird
import Logging
import Observability
import OutboundHTTP
import PaymentRelay
import Primitives
import RelayServer
import ServiceLifecycle
import Synchronization
import Testing
import TokenMint

/// A processor that is not FORT takes payments through the whole server, and nothing of the server knows it.
@Suite struct SecondProcessorTests {
    @Test("A second processor charges, answers repeats, settles uncertain payments, captures and refunds")
    func takesPayments() async throws {
        try await LedgerServer.run { server in
            let paid = try await server.pay("L-1", 10_000, "PURCHASE")
            #expect(paid.status == 200 && paid.json["outcome"] == "captured")
            #expect(paid.json["ledger_entry"] == "entry of L-1")

            let (body, token) = (server.body("L-2", 10_000, "AUTHORIZATION"), try server.token(10_000))
            let first = try await server.post("/v1/payments", body(token))
            let second = try await server.post("/v1/payments", body(token))
            #expect(first.json["outcome"] == "authorized" && first.body == second.body)
            #expect(second.header("Idempotent-Replayed") == "true")
            #expect(
                try await server.post("/v1/payments/L-2/capture", ["amount": 6_000]).json["outcome"]
                    == "partially_captured")
            let refunded = try await server.post("/v1/payments/L-2/refund", [:])
            #expect(refunded.status == 200 && refunded.json["outcome"] == "refunded")

            let silent = try await server.pay("L-3", 10_002, "PURCHASE")
            #expect(silent.status == 202 && silent.json["outcome"] == "uncertain")
            #expect(try await server.post("/v1/payments/L-3/sync", nil).json["outcome"] == "captured")

            #expect(try await server.pay("L-4", 10_001, "PURCHASE").json["outcome"] == "declined")
            let wrong = try await server.post("/v1/payments", server.body("", 0, "GIFT")(try server.token(1)))
            #expect(wrong.status == 400 && wrong.json["errors"]?.arrayValue?.count == 3)
        }
    }

    @Test("A second processor's own route applies its notifications, and /ready reports it")
    func addsRoutes() async throws {
        try await LedgerServer.run { server in
            _ = try await server.pay("L-5", 10_002, "PURCHASE")
            #expect(try await server.post("/v1/ledger/notifications", ["order": "L-5", "key": "forged"]).status == 401)
            #expect(try await server.get("/v1/payments/L-5").json["outcome"] == "uncertain")
            #expect(
                try await server.post("/v1/ledger/notifications", ["order": "L-5", "key": "ledger-key"]).status == 200)
            #expect(try await server.get("/v1/payments/L-5").json["outcome"] == "captured")
            #expect(try await server.admin("/ready").json["ledger"] == "open")
        }
    }
}

/// A ledger in memory as a processor. It declines amounts that end in 1 and does not answer for those that end in 2, which it books
/// all the same.
private final class Ledger: Processor {
    private struct Entry {
        let command: Order.Command
        let amount: MinorUnits
        var balance = Balance()
    }

    private let entries = Mutex<[String: Entry]>([:])

    func prepare(
        _ fields: [String: String], with token: PaymentToken
    ) throws(ValidationErrors) -> any PreparedCharge {
        try ValidationErrors.throwIfAny(errors(in: fields))
        return Charge(
            order: Order(
                command: Order.Command(rawValue: fields["command"] ?? "") ?? .purchase,
                merchantReference: fields["merchant_reference"] ?? "",
                amount: MinorUnits(parsing: fields["amount"] ?? "") ?? .zero, currency: "AED"),
            token: token, ledger: self)
    }

    private func errors(in fields: [String: String]) -> [ValidationError] {
        var errors: [ValidationError] = []
        if Order.Command(rawValue: fields["command"] ?? "") == nil {
            errors.append(ValidationError(field: "command", detail: "must be PURCHASE or AUTHORIZATION"))
        }
        if fields["merchant_reference"]?.isEmpty != false {
            errors.append(ValidationError(field: "merchant_reference", detail: "is missing"))
        }
        if fields["amount"].flatMap({ MinorUnits(parsing: $0) }).map({ $0 > .zero }) != true {
            errors.append(ValidationError(field: "amount", detail: "must be a positive number of minor units"))
        }
        return errors
    }

    func validationErrors(in fields: [String: String]) -> [ValidationError] { errors(in: fields) }

    func validationErrors(
        in payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) -> [ValidationError] { [] }

    func account(of payment: Payment) -> String? { "ledger" }

    fileprivate func book(_ order: Order) -> ProcessorReport {
        if "\(order.amount)".hasSuffix("1") { return .answered(answer(.declined, order.merchantReference)) }
        entries.withLock {
            let captured = order.command == .purchase ? order.amount : .zero
            $0[order.merchantReference] = Entry(
                command: order.command, amount: order.amount, balance: Balance(captured: captured))
        }
        if "\(order.amount)".hasSuffix("2") { return .unanswered(reason: "the ledger does not answer") }
        return .answered(answer(order.command == .purchase ? .captured : .authorized, order.merchantReference))
    }

    func perform(
        _ payment: Payment, _ operation: PaymentOperation, fields: [String: String]
    ) async -> ProcessorReport {
        let meaning: ProcessorAnswer.Meaning =
            switch operation.command {
            case .capture: .captured
            case .voidAuthorization: .voided
            case .refund: .refunded
            }
        return .answered(answer(meaning, payment.merchantReference))
    }

    func status(of payment: Payment) async -> ProcessorReport {
        guard entries.withLock({ $0[payment.merchantReference] }) != nil else {
            return .answered(answer(.notFound, payment.merchantReference))
        }
        return .answered(answer(.captured, payment.merchantReference))
    }

    fileprivate func answer(_ meaning: ProcessorAnswer.Meaning, _ reference: String) -> ProcessorAnswer {
        let fields: JSONObject = ["ledger_entry": .string("entry of \(reference)")]
        return ProcessorAnswer(meaning: meaning, summary: fields, response: fields)
    }

    private struct Charge: PreparedCharge {
        let order: Order
        let token: PaymentToken
        let ledger: Ledger

        func send() async -> ProcessorReport { ledger.book(order) }
    }

    /// Its own route: notifications with a shared key.
    func serverExtension(relay: PaymentRelay) -> ProcessorExtension {
        ProcessorExtension(
            name: "ledger",
            routes: [
                Route(.post, "/v1/ledger/notifications", access: .processor, bodyLimit: 1_024) { request, context in
                    let json = try await request.readJSON(limit: 1_024)
                    guard json["key"] == "ledger-key", let reference = json["order"]?.stringValue else {
                        throw Problem(
                            slug: "notification-not-proven", status: .unauthorized,
                            title: "Notification not authenticated", detail: "The key is wrong.")
                    }
                    _ = try await relay.apply(
                        ProcessorNotification(
                            account: "ledger", merchantReference: reference, subject: .charge(.purchase), amount: nil,
                            currency: nil, answer: self.answer(.captured, reference)),
                        request: context.id)
                    return Response(status: .ok)
                }
            ], availability: { "open" })
    }
}

/// The server with the ledger behind it, on sockets of its own.
private struct LedgerServer {
    let client: OutboundClient
    let port: Int
    let adminPort: Int

    struct Answer {
        let answer: OutboundAnswer
        let json: JSON

        var status: Int { answer.status }
        var body: [UInt8] { answer.body }
        func header(_ name: String) -> String? { answer.header(name) }
    }

    static func run(_ use: @escaping @Sendable (LedgerServer) async throws -> Void) async throws {
        let logger = Logger(label: "test") { JSONLogHandler(label: $0, level: .critical, output: { _ in }) }
        let (ledger, journal, metrics) = (Ledger(), MemoryJournal(), RelayMetrics())
        let relay = PaymentRelay(
            policy: .init(
                verifier: TokenVerifier(anchor: try SandboxPKI.published.anchor()), notFoundAfter: .seconds(60)),
            journal: journal, processor: ledger, logger: logger)
        let processor = ledger.serverExtension(relay: relay)
        let (requests, state) = (RequestsUnderWay(), ListenerState())
        let (ports, listening) = AsyncStream.makeStream(of: (Bool, Int).self)
        func capacity() -> ListenerCapacity {
            ListenerCapacity(limits: ListenerLimits(), respond: Problem.response)
        }
        let address = ListenerAddress(host: "127.0.0.1", port: 0)
        let services: [any Service] = [
            ListenerService(
                RelayRouter(
                    routes: RelayRoutes(relay: relay, processor: ledger, bodyLimit: 65_536).all + processor.routes,
                    metrics: metrics, requests: requests
                ).responder(),
                at: address, capacity: capacity(), patience: .seconds(2), requests: requests,
                onListening: { port in
                    state.begin()
                    listening.yield((true, port))
                }, logger: logger),
            ListenerService(
                AdminRouter(
                    readiness: JournalProbe(logger: logger) { await journal.checkDurability() }, relay: relay,
                    processor: processor, listener: state, drain: DrainService(pause: .zero, logger: logger),
                    metrics: metrics, requests: requests, delivery: nil
                ).responder(),
                at: address, capacity: capacity(), patience: .zero,
                onListening: { listening.yield((false, $0)) }, logger: logger),
        ]
        let group = ServiceGroup(configuration: .init(services: services, logger: logger))
        let client = OutboundClient()
        defer { client.shutdown() }
        try await withThrowingTaskGroup { tasks in
            tasks.addTask { try await group.run() }
            var (port, adminPort) = (0, 0)
            for await (isPublic, number) in ports {
                if isPublic { port = number } else { adminPort = number }
                if port > 0, adminPort > 0 { break }
            }
            let server = LedgerServer(client: client, port: port, adminPort: adminPort)
            do { try await use(server) } catch { Issue.record(error) }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    func token(_ amount: Int) throws -> JSON {
        try TokenMint().mint(TokenContents(amount: amount, currency: "AED"), signedAt: Date())
    }

    func body(_ reference: String, _ amount: Int, _ command: String) -> (JSON) -> JSON {
        { token in
            [
                "command": .string(command), "merchant_reference": .string(reference), "amount": JSON(amount),
                "token": token,
            ]
        }
    }

    func pay(_ reference: String, _ amount: Int, _ command: String) async throws -> Answer {
        try await post("/v1/payments", body(reference, amount, command)(try token(amount)))
    }

    func post(_ path: String, _ json: JSON?) async throws -> Answer {
        try await send(
            OutboundRequest(
                url: "http://127.0.0.1:\(port)\(path)", headers: [("Content-Type", "application/json")],
                body: json?.encoded() ?? []))
    }

    func get(_ path: String) async throws -> Answer {
        try await send(OutboundRequest(method: .get, url: "http://127.0.0.1:\(port)\(path)"))
    }

    func admin(_ path: String) async throws -> Answer {
        try await send(OutboundRequest(method: .get, url: "http://127.0.0.1:\(adminPort)\(path)"))
    }

    private func send(_ request: OutboundRequest) async throws -> Answer {
        let answer = try await client.send(request)
        return Answer(answer: answer, json: answer.body.isEmpty ? .null : try JSON(parsing: answer.body))
    }
}
