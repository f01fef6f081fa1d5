public import OutboundHTTP
import PayrelayAPI
import PayrelayPrimitives
public import SandboxParts

/// Reads, after a run, the sandbox's books and, from the relay, the outcomes that its answers left open.
public struct BooksClient: Sendable {
    /// The books could not be read.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private let client: OutboundClient
    private let relay: String
    private let sandbox: String
    private let headers: [(name: String, value: String)]
    /// How long the relay may take to settle uncertain payments, from the end of the load.
    private let patience: Duration
    /// An order in the books takes fewer bytes.
    private static let bytesForOrder = 1_024

    /// - Parameters:
    ///   - relay: its address, for example `http://127.0.0.1:8080`.
    ///   - sandbox: likewise.
    public init(
        client: OutboundClient, relay: String, sandbox: String, headers: [(name: String, value: String)] = [],
        patience: Duration
    ) {
        self.client = client
        self.relay = relay
        self.sandbox = sandbox
        self.headers = headers
        self.patience = patience
    }

    /// Compares the books of a gateway's sandbox with the answers. Outcomes that these leave open are read from the relay.
    ///
    /// - Parameter verdicts: by reference, of every payment at this gateway; nil where the payment had not ended.
    public func audit(_ verdicts: [String: PaymentVerdict?], at gateway: LoadedGateway) async throws -> BooksAudit {
        var reported = verdicts.mapValues { $0.map(BooksAudit.Reported.init) ?? .unknown }
        let deadline = ContinuousClock.now + patience
        for reference in reported.filter({ $0.value == .unknown }).keys.sorted() {
            reported[reference] = await lookUp(reference, until: deadline)
        }
        // After the look-ups: a payment that was open then may have been charged meanwhile, and must be in the books.
        return BooksAudit(reported: reported, books: try await books(of: gateway, about: verdicts.count))
    }

    private func books(of gateway: LoadedGateway, about count: Int) async throws(Failure) -> [BookedOrder] {
        let request = OutboundRequest(
            method: .get, url: sandbox + gateway.booksPath, timeout: .seconds(300),
            answerLimit: (count + 1_000) * Self.bytesForOrder)
        do {
            let answer = try await client.send(request).get()
            guard answer.status == 200 else { throw Failure(description: "the sandbox answered \(answer.status)") }
            return try BooksReader.orders(in: answer.body, reference: gateway.referenceMember)
        } catch {
            throw Failure(description: "the sandbox's books of \(gateway.name) cannot be read: \(error)")
        }
    }

    /// Asks the relay until it knows the outcome, at most until the deadline.
    private func lookUp(_ reference: String, until deadline: ContinuousClock.Instant) async -> BooksAudit.Reported {
        let request = OutboundRequest(
            method: .get, url: "\(relay)/v1/payments/\(reference)", headers: headers, timeout: .seconds(10))
        repeat {
            if case .answered(let answer) = await client.send(request),
                let reported = BooksAudit.Reported(state: answer),
                reported != .unknown
            {
                return reported
            }
            guard (try? await Task.sleep(for: .milliseconds(250))) != nil else { return .unknown }
        } while ContinuousClock.now < deadline
        return .unknown
    }
}

extension BooksAudit.Reported {
    /// Reads the report of the answer to a payment; `unknown` if it leaves the outcome open.
    init(_ verdict: PaymentVerdict) {
        switch verdict {
        case .unusable, .noAnswer: self = .unknown
        case .outcome(let outcome): self = outcome.isOpen ? .unknown : .outcome(outcome)
        // With these statuses the relay promises that nothing was charged.
        case .refused(let status, _): self = (400..<500).contains(status) || status == 503 ? .nothing : .unknown
        case .notSent, .leftOut: self = .nothing
        }
    }

    /// Reads the report of `GET /v1/payments/{merchant_reference}`; nil if a 200 answer is not a payment.
    init?(state answer: OutboundAnswer) {
        switch answer.status {
        case 404: self = .nothing
        case 200:
            guard let payment = try? AnswerAboutAPayment(parsing: answer.body) else { return nil }
            self = .outcome(payment.outcome)
        default: self = .unknown
        }
    }
}
