import Foundation
import PayrelayAPI
import PayrelayPrimitives
import Testing

@testable import PayrelayClient

@Suite struct RelayClientTests {
    private func client(
        _ transport: ScriptedTransport, environment: RelayEnvironment = .development,
        orderToken: @escaping @Sendable (String) async throws -> String = { "token-for-\($0)" }
    ) -> RelayClient {
        var settings = RelayClient.Settings()
        settings.clock = transport.clock
        return RelayClient(environment, transport: transport, settings: settings, orderToken: orderToken)
    }

    @Test("A payment is one POST of the order with the backend's order token")
    func isOnePost() async throws {
        let transport = ScriptedTransport([.answer(200, Documents.body("captured"))])
        let result = try await client(transport).pay(Documents.order, with: Documents.token)
        #expect(result.isSuccess)
        let request = try #require(transport.requests.first)
        #expect(transport.requests.count == 1 && request.method == "POST")
        #expect(request.url == "http://127.0.0.1:8080/v1/payments")
        #expect(request.body == Documents.order.body(with: Documents.token))
        #expect(request.headers.contains { $0 == ("Authorization", "Bearer token-for-ORDER-1001") })
        #expect(request.headers.contains { $0 == ("Content-Type", "application/json") })
    }

    @Test("A base URL with a path is kept, and a slash at its end makes no difference")
    func keepsThePathOfTheURL() async throws {
        let url = try #require(URL(string: "https://shop.example/pay/"))
        let transport = ScriptedTransport([.answer(200, Documents.body("captured"))])
        _ = try await client(transport, environment: .production(url)).outcome(of: "ORDER-1001")
        #expect(transport.requests.first?.url == "https://shop.example/pay/v1/payments/ORDER-1001")
    }

    @Test(
        "A URL that is not https, or holds more than an address, is refused before anything is sent",
        arguments: [
            "http://shop.example", "http://127.0.0.1:8080", "ftp://shop.example", "https://a:b@shop.example",
            "https://shop.example/#x", "https://shop.example/?x",
        ])
    func refusesOtherURLs(text: String) async throws {
        let transport = ScriptedTransport([])
        let production = client(transport, environment: .production(try #require(URL(string: text))))
        let error = await #expect(throws: RelayError.self) {
            try await production.pay(Documents.order, with: Documents.token)
        }
        guard case .invalidConfiguration(let reason) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(reason.contains(".development(url)") == text.hasPrefix("http://127."))
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "A reference that is more than one segment of a path is refused before anything is sent",
        arguments: ["", "a/b", "..", ".", "a?b", "a#b", "a b", "ü", "%2e%2e", String(repeating: "a", count: 41)])
    func refusesOtherReferences(reference: String) async {
        let transport = ScriptedTransport([])
        let error = await #expect(throws: RelayError.self) {
            try await client(transport).outcome(of: reference)
        }
        guard case .unreadable(.invalidConfiguration) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("An answer about another order, amount or currency is not taken for this payment's")
    func anotherPaymentsAnswerIsNone() async throws {
        let transport = ScriptedTransport([
            .answer(200, Documents.body("captured", reference: "ORDER-1002")),
            .answer(200, Documents.body("captured", amount: 1)),
            .answer(200, Documents.body("captured", currency: "KWD")),
            .answer(200, Documents.body("declined")),
        ])
        let result = try await client(transport).pay(Documents.order, with: Documents.token)
        guard case .declined = result else { return #expect(Bool(false), "\(result)") }
        #expect(Set(transport.requests.map(\.body)).count == 1)
    }

    @Test("A decline of another amount under the order's reference is reported at once, with one look-up")
    func aDeclinedOrderOfAnotherAmount() async throws {
        let transport = ScriptedTransport([
            .answer(422, Documents.problem(422, .referenceTaken)),
            .answer(200, Documents.body("declined", amount: 9_000)),
        ])
        let error = await #expect(throws: RelayError.self) {
            try await client(transport).pay(Documents.order, with: Documents.token)
        }
        guard case .referenceTaken(let earlier?) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(earlier.outcome == .declined && error?.mayHaveBeenCharged == false)
        #expect(transport.requests.map(\.method) == ["POST", "GET"] && transport.clock.now < 1)
    }

    @Test(
        "R2: after \"taken\", what is told of another reference, or without the relay's form, proves no decline",
        arguments: [
            Documents.body("declined", reference: "ORDER-1002"), Documents.body("declined", reference: "order-1001"),
            Array("{\"merchant_reference\": \"ORDER-1001\", \"outcome\": \"declined\"}".utf8), Array("declined".utf8),
        ])
    func aForgedDeclineAfterTaken(body: [UInt8]) async throws {
        let forged = ScriptedTransport.Step.answer(200, body)
        let transport = ScriptedTransport([
            .answer(422, Documents.problem(422, .referenceTaken)), forged, forged,
            .answer(200, Documents.body("captured", amount: 9_000)),
        ])
        let error = await #expect(throws: RelayError.self) {
            try await client(transport).pay(Documents.order, with: Documents.token)
        }
        guard case .referenceTaken(let earlier?) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(earlier.outcome == .captured && error?.mayHaveBeenCharged == true)
        let only = ScriptedTransport([.answer(422, Documents.problem(422, .referenceTaken)), forged])
        let unknown = await #expect(throws: RelayError.self) {
            try await client(only).pay(Documents.order, with: Documents.token)
        }
        #expect(unknown?.mayHaveBeenCharged == true)
    }

    @Test("A 202 is read again after Retry-After until the outcome is known")
    func readsUntilTheOutcomeIsKnown() async throws {
        let transport = ScriptedTransport([
            .answer(202, Documents.body("uncertain"), retryAfter: "2"),
            .answer(202, Documents.body("uncertain"), retryAfter: "2"),
            .answer(200, Documents.body("authorized")),
        ])
        let result = try await client(transport).pay(Documents.order, with: Documents.token)
        guard case .authorized = result else { return #expect(Bool(false), "\(result)") }
        #expect(transport.requests.map(\.method) == ["POST", "GET", "GET"])
        #expect(transport.clock.now == 4)
    }

    @Test("A wait beyond the time limit ends the call at once, and the error says when to try again")
    func aLongWaitEndsTheCall() async {
        let busy = ScriptedTransport([.answer(503, Documents.problem(503, .tooBusy), retryAfter: "60")])
        let error = await #expect(throws: RelayError.self) {
            try await client(busy).pay(Documents.order, with: Documents.token)
        }
        guard case .nothingWasSent(retryAfter: 60) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(busy.clock.now == 0)
    }

    @Test("A cancelled payment can be queried, and the error says whether it may have been made")
    func cancellingLeavesAPayment() async throws {
        for (steps, mayHaveBeenSent) in [([ScriptedTransport.Step.hang], true), ([.refuse, .hang], true)] {
            let transport = ScriptedTransport(steps + [.answer(200, Documents.body("captured"))])
            let client = client(transport)
            let paying = Task { try await client.pay(Documents.order, with: Documents.token) }
            await transport.untilHanging()
            paying.cancel()
            let error = await #expect(throws: RelayError.self) { try await paying.value }
            #expect(error?.mayHaveBeenCharged == mayHaveBeenSent)
            #expect(try await client.outcome(of: Documents.order.merchantReference).isSuccess)
        }
    }

    @Test("A task that is cancelled before it began sends nothing")
    func aCancelledTaskSendsNothing() async throws {
        let transport = ScriptedTransport([.answer(200, Documents.body("captured"))])
        let client = client(transport) { reference in
            try await Task.sleep(nanoseconds: 60_000_000_000)
            return reference
        }
        let paying = Task { try await client.pay(Documents.order, with: Documents.token) }
        paying.cancel()
        let error = await #expect(throws: RelayError.self) { try await paying.value }
        #expect(error?.mayHaveBeenCharged == false)
        #expect(transport.requests.isEmpty)
    }

    @Test("a payment ends at its time limit, by the client's clock, if the order token's function never ends")
    func anEndlessFunctionForOrderTokens() async throws {
        let transport = ScriptedTransport([.answer(200, Documents.body("captured"))])
        let backend = EndlessBackend()
        let client = client(transport) { _ in await backend.orderToken() }
        let paying = Task { try await client.pay(Documents.order, with: Documents.token) }
        await backend.untilAsked()
        await transport.clock.untilLimited()
        transport.clock.advance(by: 25)
        let error = await #expect(throws: RelayError.self) { try await paying.value }
        #expect(error == .orderTokenUnavailable(OrderTokenFailure(OrderTokenFault.timeout)))
        #expect(error?.mayHaveBeenCharged == false)
        // An order token that arrives after the time limit is not sent.
        backend.answer("late")
        await backend.untilAnswered()
        #expect(transport.requests.isEmpty)
    }

    @Test("a cancelled payment ends at once if the order token's function ignores the cancellation")
    func cancellingAnEndlessFunctionForOrderTokens() async throws {
        let transport = ScriptedTransport([.answer(200, Documents.body("captured"))])
        let backend = EndlessBackend()
        let client = client(transport) { _ in await backend.orderToken() }
        let paying = Task { try await client.pay(Documents.order, with: Documents.token) }
        await backend.untilAsked()
        paying.cancel()
        let error = await #expect(throws: RelayError.self) { try await paying.value }
        #expect(error == .cancelled(mayHaveBeenSent: false))
        backend.answer("late")
    }

    @Test("R10: a payment whose order token is never renewed ends at its time limit, and may have been charged")
    func anEndlessRenewal() async throws {
        let transport = ScriptedTransport([.lose, .answer(401, Documents.problem(401, .notAuthenticated))])
        let (names, backend) = (OrderTokens(), EndlessBackend())
        let client = client(transport) { _ in
            let name = names.next()
            return name == "1" ? name : await backend.orderToken()
        }
        let paying = Task { try await client.pay(Documents.order, with: Documents.token) }
        await backend.untilAsked()
        await transport.clock.untilLimited()
        transport.clock.advance(by: 25)
        let error = await #expect(throws: RelayError.self) { try await paying.value }
        #expect(error == .noAnswer && error?.mayHaveBeenCharged == true)
        backend.answer("late")
    }

    @Test("Without an order token nothing is sent, and its error is handed on")
    func withoutAnOrderToken() async {
        struct NoNetwork: Error {}
        let transport = ScriptedTransport([])
        let error = await #expect(throws: RelayError.self) {
            try await client(transport) { _ in throw NoNetwork() }.pay(Documents.order, with: Documents.token)
        }
        #expect(error == .orderTokenUnavailable(OrderTokenFailure(NoNetwork())))
        guard case .orderTokenUnavailable(let failure) = error else { return #expect(Bool(false)) }
        #expect(failure.cause is NoNetwork)
        #expect(transport.requests.isEmpty)
    }

    @Test("Errors are equal if their cases and associated values are")
    func equality() throws {
        let document = try Documents.payment("captured")
        #expect(RelayError.referenceTaken(by: document) == .referenceTaken(by: document))
        #expect(RelayError.referenceTaken(by: document) != .referenceTaken(by: nil))
        #expect(RelayError.unreadable(.noAnswer) == .unreadable(.noAnswer))
        #expect(RelayError.unreadable(.noAnswer) != .noAnswer)
        #expect(RelayError.orderTokenUnavailable(OrderTokenFailure(CancellationError())) != .noAnswer)
    }

    @Test("Each request is logged with its outcome, and without data of the customer, the card or a token")
    func theLog() async throws {
        final class Log: @unchecked Sendable {
            // Changed under the lock.
            private let lock = NSLock()
            private var entries: [RelayAttempt] = []

            var all: [RelayAttempt] { lock.withLock { entries } }

            func add(_ entry: RelayAttempt) { lock.withLock { entries.append(entry) } }
        }

        let secret: JSON = [
            "type": "urn:payrelay:problem:secret-token", "title": "", "status": 500, "detail": "secret",
        ]
        let transport = ScriptedTransport([
            .refuse, .lose, .answer(409, Documents.problem(409, .inFlight), retryAfter: "1"),
            .answer(500, secret.encoded()), .answer(200, Array("secret token".utf8)),
            .answer(202, Documents.body("uncertain")), .answer(200, Documents.body("secret")),
            .answer(200, Documents.body("captured")),
        ])
        let log = Log()
        var settings = RelayClient.Settings()
        settings.clock = transport.clock
        settings.log = { log.add($0) }
        let client = RelayClient(.development, transport: transport, settings: settings) { _ in "secret-token" }
        _ = try await client.pay(Documents.order, with: Documents.token)
        #expect(
            log.all.map { "\($0.method) \($0.status ?? 0) \($0.result)" } == [
                "POST 0 not sent: refused", "POST 0 lost: lost", "POST 409 in-flight",
                "POST 500 a problem of a later version", "POST 200 not the relay's", "POST 202 uncertain",
                "GET 200 an outcome of a later version", "GET 200 captured",
            ])
        #expect(log.all.allSatisfy { $0.merchantReference == "ORDER-1001" && $0.seconds >= 0 })
        #expect(!log.all.map(\.description).joined().contains("secret"))
        #expect(!log.all.map(\.description).joined().contains("sara@"))
    }

    @Test("No error of a look-up says that nothing was charged")
    func noErrorOfALookUpSaysThatNothingWasCharged() async throws {
        struct NoNetwork: Error {}
        let url = try #require(URL(string: "http://shop.example"))
        let steps: [ScriptedTransport.Step] = [
            .answer(401, Documents.problem(401, .notAuthenticated)),
            .answer(403, Documents.problem(403, .notPermitted)),
            .answer(404, Documents.problem(404, .noSuchPayment)), .answer(404, Documents.problem(404, .notFound)),
            .answer(429, Documents.problem(429, .tooManyRequests)), .lose, .refuse,
        ]
        let clients =
            steps.map { step in client(ScriptedTransport(Array(repeating: step, count: 200))) }
            + [
                client(ScriptedTransport([])) { _ in throw NoNetwork() },
                client(ScriptedTransport([]), environment: .production(url)),
            ]
        for client in clients {
            let error = await #expect(throws: RelayError.self) { try await client.outcome(of: "ORDER-1001") }
            #expect(error?.mayHaveBeenCharged == true, "\(String(describing: error))")
        }
        let cancelled = Task { try await clients[0].outcome(of: "ORDER-1001") }
        cancelled.cancel()
        let error = await #expect(throws: RelayError.self) { try await cancelled.value }
        #expect(error?.mayHaveBeenCharged == true)
    }

    @Test(
        "The error of a problem says that the customer may have been charged wherever the table of problems does",
        arguments: ProblemKind.allCases)
    func errorsFollowTheTableOfProblems(kind: ProblemKind) {
        let error = RelayError(ProblemDocument(kind, "d"))
        #expect(error.mayHaveBeenCharged || !kind.mayHaveCharged, "\(error)")
    }

    @Test(
        "A text that is not a bearer token is not sent: a line break in it would begin another header field",
        arguments: ["", "a b", "a\r\nX-Other: 1", "<html>", "a=b", "\u{e9}", String(repeating: "a", count: 8_193)])
    func whatIsNoBearerTokenIsNotSent(token: String) async {
        let transport = ScriptedTransport([])
        let error = await #expect(throws: RelayError.self) {
            try await client(transport) { _ in token }.pay(Documents.order, with: Documents.token)
        }
        guard case .orderTokenUnavailable = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(transport.requests.isEmpty)
    }

    @Test("White space around an order token is not part of it")
    func whiteSpaceIsNotPartOfAToken() async throws {
        let transport = ScriptedTransport([.answer(200, Documents.body("captured"))])
        _ = try await client(transport) { _ in " a.b-c_d==\r\n" }.pay(Documents.order, with: Documents.token)
        #expect(transport.requests.first?.headers.first?.value == "Bearer a.b-c_d==")
    }

    @Test("Without time nothing is sent")
    func withoutTimeNothingIsSent() async {
        let transport = ScriptedTransport([.answer(200, Documents.body("captured"))])
        let error = await #expect(throws: RelayError.self) {
            try await client(transport).pay(Documents.order, with: Documents.token, within: .seconds(-1))
        }
        guard case .nothingWasSent = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(transport.requests.isEmpty)
    }

    @Test("An order token that expired while the answer was lost is renewed, and the payment is read")
    func anExpiredOrderTokenIsRenewed() async throws {
        let transport = ScriptedTransport([
            .lose, .answer(401, Documents.problem(401, .notAuthenticated)),
            .answer(200, Documents.body("captured")),
        ])
        let names = OrderTokens()
        let result = try await client(transport) { _ in names.next() }.pay(Documents.order, with: Documents.token)
        #expect(result.isSuccess)
        #expect(transport.requests.map { $0.headers[0].value } == ["Bearer 1", "Bearer 1", "Bearer 2"])
        #expect(transport.requests.map(\.method) == ["POST", "POST", "GET"])
    }

    @Test("S1: no description of a result or an error holds a token, a key or the customer")
    func noDescriptionHoldsASecret() async throws {
        var order = Documents.order
        order.customerName = "canary"
        order.customerEmail = "canary@example.com"
        let token = AppleToken(json: ["paymentData": "canary"])
        let steps: [ScriptedTransport.Step] = [
            .answer(200, Documents.body("captured")), .answer(202, Documents.body("uncertain"), retryAfter: "60"),
            .answer(401, Documents.problem(401, .notAuthenticated)),
            .answer(422, Documents.problem(422, .tokenRefused)),
            .answer(503, Documents.problem(503, .tooBusy), retryAfter: "60"),
        ]
        for step in steps {
            let client = client(ScriptedTransport([step])) { _ in "canary" }
            let told: Any
            do throws(RelayError) { told = try await client.pay(order, with: token) } catch { told = error }
            var dumped = ""
            dump(told, to: &dumped)
            #expect(!"\(told) \(String(reflecting: told)) \(dumped)".contains("canary"))
        }
    }
}

/// Order tokens, each with its number.
private final class OrderTokens: @unchecked Sendable {
    // Changed under the lock.
    private let lock = NSLock()
    private var count = 0

    func next() -> String {
        lock.withLock {
            count += 1
            return "\(count)"
        }
    }
}

/// An app's backend that returns no order token until the test says so, even if its task is cancelled.
private final class EndlessBackend: @unchecked Sendable {
    // Changed under the lock.
    private let lock = NSLock()
    private var waiting: CheckedContinuation<String, Never>?
    private let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
    private let (answered, isAnswered) = AsyncStream.makeStream(of: Void.self)

    func orderToken() async -> String {
        let token = await withCheckedContinuation { continuation in
            lock.withLock { waiting = continuation }
            isAsked.yield()
        }
        isAnswered.yield()
        return token
    }

    func answer(_ token: String) { lock.withLock { waiting.take() }?.resume(returning: token) }

    func untilAsked() async { for await _ in asked { return } }

    func untilAnswered() async { for await _ in answered { return } }
}
