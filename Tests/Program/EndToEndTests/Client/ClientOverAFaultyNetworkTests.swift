import Foundation
import OutboundHTTP
import PayrelayClient
import PayrelayPrimitives
import Testing

/// The client library against the built relay, over libcurl. FoundationNetworking would end the process if a plain connection
/// breaks inside the header of an answer.
@Suite struct ClientOverAFaultyNetworkTests {
    /// `PAYRELAY_NETWORK_SEED` repeats the faults of the run that printed it.
    @Test(
        "R1, R9: over a network that breaks connections each order is charged at most once, and reported as in the books"
    )
    func chargesAtMostOnceAndTellsTheTruth() async throws {
        let given = ProcessInfo.processInfo.environment["PAYRELAY_NETWORK_SEED"].flatMap { UInt64($0) }
        let seed = given ?? .random(in: 0...UInt64.max)
        let relay = try await RunningRelay()
        // TLS turns a changed byte into a broken connection, which the other faults already are.
        let proxy = try FaultyProxy(to: relay.port, seed: seed, kinds: [.reset, .truncate, .halfClose, .delay])
        let answered = try await outcomes(of: 1_000, through: proxy.port)
        proxy.behave()
        let note = "PAYRELAY_NETWORK_SEED=\(seed)"
        try await Audit(relay: relay, note: note).compare(answered.known)
        let books = Dictionary(
            try await relay.sandbox.books().map { ($0["merchant_reference"]?.stringValue ?? "", $0) }
        ) { $1 }
        for (reference, error) in answered.notCharged {
            #expect(books[reference] == nil, "\(reference) ended with: \(error). \(note)")
        }
        // If there was no answer, the request may or may not have arrived.
        for reference in answered.unknown where books[reference] != nil {
            _ = try await relay.finalOutcome(of: reference)
        }
        #expect(proxy.struck.values.reduce(0, +) > 100, "the network was too good to show anything: \(proxy.struck)")
        #expect(answered.known.count > 900, "\(answered.known.count) have an outcome, seed \(seed)")
    }

    private struct Answers: Sendable {
        /// The outcomes by reference.
        var known = AnsweredOutcomes()
        /// The errors that say that nothing was charged, by reference.
        var notCharged: [String: String] = [:]
        /// The references of the requests without any answer.
        var unknown: [String] = []
    }

    private func outcomes(of count: Int, through port: Int) async throws -> Answers {
        let environment = RelayEnvironment.development(try #require(URL(string: "http://127.0.0.1:\(port)")))
        var settings = RelayClient.Settings()
        // The limits are a phone's, but shorter.
        settings.attemptTimeLimit = .seconds(1)
        settings.retryDelay = RetryDelay(first: 0.02, longest: 0.2)
        let client = RelayClient(environment, transport: CurlTransport(), settings: settings) {
            "order-token-for-\($0)"
        }
        return try await withThrowingTaskGroup(of: Answers.self) { group in
            for payer in 0..<20 {
                group.addTask {
                    var answers = Answers()
                    for number in 0..<(count / 20) {
                        try await Self.pay("PHONE-\(payer)-\(number)", with: client, &answers)
                    }
                    return answers
                }
            }
            return try await group.reduce(into: Answers()) { all, some in
                all.known.merge(some.known) { $1 }
                all.notCharged.merge(some.notCharged) { $1 }
                all.unknown += some.unknown
            }
        }
    }

    private static func pay(_ reference: String, with client: RelayClient, _ answers: inout Answers) async throws {
        let amounts: [MinorUnits] = [10_000, 20_000, 30_000, 10_012]
        let amount = amounts.randomElement() ?? 10_000
        var order = Order(reference, amount: amount, currency: .AED, customerEmail: "sara@example.com")
        order.customerIP = "192.0.2.10"
        let token = AppleToken(json: try Orders.token(amount: amount.value))
        do throws(RelayError) {
            let result = try await client.pay(order, with: token, within: .seconds(20))
            answers.known[reference] = result.isSuccess ? "captured" : result.receipt?.outcome.rawValue ?? "uncertain"
        } catch {
            if error.mayHaveBeenCharged {
                answers.unknown.append(reference)
            } else {
                answers.notCharged[reference] = "\(error)"
            }
        }
    }
}

/// A transport that sends requests with the service's own HTTP client.
private final class CurlTransport: RelayTransport {
    private let client = OutboundClient()

    deinit { client.shutdown() }

    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let outcome = await client.send(
            OutboundRequest(
                method: request.method == "GET" ? .get : .post, url: request.url,
                // A fault strikes a connection, so each request has a separate connection.
                headers: request.headers + [(name: "Connection", value: "close")],
                body: request.body ?? [], timeout: .seconds(request.timeout)))
        switch outcome {
        case .answered(let answer):
            return TransportResponse(
                status: answer.status, retryAfter: answer.header("Retry-After"), body: answer.body)
        case .notSent(let reason): throw .notSent(reason)
        case .unknown(let reason): throw .lost(reason)
        }
    }
}
