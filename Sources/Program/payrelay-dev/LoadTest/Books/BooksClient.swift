import OutboundHTTP
import PayrelayAPI
import PayrelayPrimitives
import SandboxParts

/// Reads, after a run, the sandbox's books, and from the relay the outcomes that its responses left open.
struct BooksClient: Sendable {
    /// The error if the books could not be read.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let client: OutboundClient
    private let relay: String
    private let sandbox: String
    private let headers: [(name: String, value: String)]
    /// How long after the end of the load the relay may take to resolve uncertain payments.
    private let patience: Duration
    /// An upper bound for the size of an order in the books.
    private static let bytesForOrder = 1_024

    /// - Parameters:
    ///   - relay: the relay's address, such as `http://127.0.0.1:8080`.
    ///   - sandbox: the sandbox's address.
    init(
        client: OutboundClient, relay: String, sandbox: String, headers: [(name: String, value: String)] = [],
        patience: Duration
    ) {
        self.client = client
        self.relay = relay
        self.sandbox = sandbox
        self.headers = headers
        self.patience = patience
    }

    /// Compares the books of a gateway's sandbox with the relay's responses. Outcomes that those left open are
    /// read from the relay.
    ///
    /// - Parameter verdicts: the verdicts by reference, for every payment at this gateway; `nil` if the payment
    ///   had not ended.
    func audit(_ verdicts: [String: PaymentVerdict?], at gateway: LoadedGateway) async throws -> BooksAudit {
        var reported = verdicts.mapValues { $0.map(BooksAudit.Reported.init) ?? .unknown }
        let deadline = ContinuousClock.now + patience
        for reference in reported.filter({ $0.value == .unknown }).keys.sorted() {
            reported[reference] = await lookUp(reference, until: deadline)
        }
        // Read after the look-ups, because a payment that was open then may have been charged in the meantime,
        // and must be in the books.
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

    /// Queries the relay until it knows the outcome or the deadline has passed.
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
    /// Converts the verdict on a payment; `unknown` if it leaves the outcome open.
    init(_ verdict: PaymentVerdict) {
        switch verdict {
        case .unusable, .noAnswer: self = .unknown
        case .outcome(let outcome): self = outcome.isOpen ? .unknown : .outcome(outcome)
        // The relay guarantees for these statuses that nothing was charged.
        case .refused(let status, _): self = (400..<500).contains(status) || status == 503 ? .nothing : .unknown
        case .notSent, .leftOut: self = .nothing
        }
    }

    /// Reads the response of `GET /v1/payments/{merchant_reference}`. Returns `nil` if a response with status 200
    /// is not about a payment.
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
