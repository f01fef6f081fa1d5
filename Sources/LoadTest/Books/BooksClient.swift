import Primitives
public import OutboundHTTP

/// Asks sandbox and relay, after a run, what became of its payments.
public struct BooksClient: Sendable {
    /// The books could not be read.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private let client: OutboundClient
    private let relay: String
    private let sandbox: String
    private let headers: [(name: String, value: String)]
    /// How long the relay may take to settle what is uncertain, from when the load has ended.
    private let patience: Duration
    /// A payment in the books is shown in fewer bytes.
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

    /// Holds the sandbox's books against the answers; what these leave open is looked up in the relay's journal.
    ///
    /// - Parameter verdicts: by reference; nil where the payment had not ended.
    public func audit(_ verdicts: [String: PaymentVerdict?]) async throws -> BooksAudit {
        var told = verdicts.mapValues { $0.map(BooksAudit.Told.init) ?? .unknown }
        let deadline = ContinuousClock.now + patience
        for reference in told.filter({ $0.value == .unknown }).keys.sorted() {
            told[reference] = await lookUp(reference, until: deadline)
        }
        // After the journal: what was open then may have been charged meanwhile, and must be in the books.
        return BooksAudit(told: told, books: try await books(ofAbout: verdicts.count))
    }

    private func books(ofAbout count: Int) async throws(Failure) -> [BookedOrder] {
        let request = OutboundRequest(
            method: .get, url: "\(sandbox)/_sandbox/orders", timeout: .seconds(300),
            answerLimit: (count + 1_000) * Self.bytesForOrder)
        do {
            let answer = try await client.send(request)
            guard answer.status == 200 else { throw Failure(description: "the sandbox answered \(answer.status)") }
            return try BooksReader.orders(in: answer.body)
        } catch {
            throw Failure(description: "the sandbox's books cannot be read: \(error)")
        }
    }

    /// Asks the relay until it knows, at most until the deadline.
    private func lookUp(_ reference: String, until deadline: ContinuousClock.Instant) async -> BooksAudit.Told {
        let request = OutboundRequest(
            method: .get, url: "\(relay)/v1/payments/\(reference)", headers: headers, timeout: .seconds(10))
        repeat {
            if let answer = try? await client.send(request), let told = BooksAudit.Told(journal: answer),
                told != .unknown
            {
                return told
            }
            guard (try? await Task.sleep(for: .milliseconds(250))) != nil else { return .unknown }
        } while ContinuousClock.now < deadline
        return .unknown
    }
}

extension BooksAudit.Told {
    /// What an answer to the payment says; where it leaves anything open, the journal must tell.
    init(_ verdict: PaymentVerdict) {
        switch verdict {
        case .outcome("uncertain"), .outcome("processing"), .unusable, .noAnswer: self = .unknown
        case .outcome(let name): self = .outcome(name)
        // The relay's promise of these statuses is that nothing was charged; others it does not give after a charge.
        case .refused(let status, _): self = (400..<500).contains(status) || status == 503 ? .nothing : .unknown
        case .notSent, .leftOut: self = .nothing
        }
    }

    /// What `GET /v1/payments/{merchant_reference}` says; nil where that is nothing.
    init?(journal answer: OutboundAnswer) {
        switch answer.status {
        case 404: self = .nothing
        case 200:
            guard let outcome = (try? JSON(parsing: answer.body))?["outcome"]?.stringValue else { return nil }
            self = .outcome(outcome)
        default: self = .unknown
        }
    }
}
