import PayrelayAPI
import PayrelayPrimitives

/// One call of the client. It sends the attempts that ``PaymentAttempts`` decides on, until there is a result.
struct PaymentExchange {
    private let client: RelayClient
    private let order: AskedOrder
    /// The request's body; `nil` if the payment is only looked up.
    private let body: [UInt8]?
    /// The order token that the app passed; `nil` if it must be requested.
    private let givenToken: String?
    private let base: String
    private let began: Double
    private let deadline: Double
    private var attempts: PaymentAttempts
    private var retries = 0

    /// - Throws: ``RelayError/invalidConfiguration(_:)`` if the reference or the relay's URL cannot be used.
    init(
        client: RelayClient, order: AskedOrder, body: [UInt8]?, orderToken: String? = nil, limit: TimeLimit
    ) throws(RelayError) {
        guard order.hasReferenceForAPath else {
            throw .invalidConfiguration(
                "a merchant reference has 1 to 40 letters, digits, dots, underscores and hyphens")
        }
        switch client.environment.base {
        case .success(let base): self.base = base
        case .failure(let error): throw .invalidConfiguration(error.reason)
        }
        self.client = client
        self.order = order
        self.body = body
        givenToken = orderToken
        began = client.settings.clock.now
        deadline = began + limit.seconds
        attempts = PaymentAttempts(pays: body != nil)
    }

    mutating func run() async throws(RelayError) -> PaymentResult {
        guard client.settings.clock.now < deadline else { return try attempts.atDeadline().get() }
        var token = try await firstToken()
        var step = body == nil ? PaymentAttempts.Step.read : .pay
        while true {
            let event = try await attempt(step, with: token)
            let now = client.settings.clock.now
            let action = attempts.next(
                after: event, of: step, canPay: now - began < client.settings.tokenLifetime.seconds)
            switch action {
            case .finish(let result): return try result.get()
            case .authenticateAndRead:
                // The old token was rejected. Without a new one, nothing more can be learned.
                guard let renewed = try? await orderToken() else { return try attempts.atDeadline().get() }
                token = renewed
                step = .read
            case .attempt(let next, let retryAfter):
                let delay = client.settings.retryDelay.seconds(
                    after: retries, retryAfter: retryAfter, random: .random(in: 0...1))
                retries += 1
                guard now + delay < deadline else { return try attempts.atDeadline().get() }
                try await sleep(delay)
                step = next
            }
        }
    }

    private func attempt(
        _ step: PaymentAttempts.Step, with token: String
    ) async throws(RelayError) -> PaymentAttempts.Event {
        let left = deadline - client.settings.clock.now
        let request = TransportRequest(
            method: step == .pay ? "POST" : "GET",
            url: step == .pay ? "\(base)/v1/payments" : "\(base)/v1/payments/\(order.merchantReference)",
            headers: [("Authorization", "Bearer \(token)"), ("Accept", "application/json")]
                + (step == .pay ? [("Content-Type", "application/json")] : []),
            body: step == .pay ? body : nil, timeout: max(0.05, min(left, client.settings.attemptTimeLimit.seconds)))
        let began = client.settings.clock.now
        let event: PaymentAttempts.Event
        var status: Int?
        do throws(TransportFailure) {
            let response = try await client.transport.send(request)
            status = response.status
            event = .answered(RelayAnswer(response, about: order))
        } catch {
            event = .failed(error)
        }
        client.settings.log?(
            RelayAttempt(
                event, status: status, step, of: order.merchantReference,
                seconds: client.settings.clock.now - began))
        // A response that has arrived counts, even if the task was cancelled in the meantime.
        if case .failed(let failure) = event, Task.isCancelled {
            throw .cancelled(mayHaveBeenSent: attempts.mayHaveArrived || (step == .pay && failure.mayHaveArrived))
        }
        return event
    }

    private func sleep(_ seconds: Double) async throws(RelayError) {
        do {
            try await client.settings.clock.sleep(seconds: seconds)
        } catch {
            throw .cancelled(mayHaveBeenSent: attempts.mayHaveArrived)
        }
    }

    private func firstToken() async throws(RelayError) -> String {
        guard let givenToken else { return try await orderToken() }
        do throws(OrderTokenFault) {
            return try OrderTokenFault.checked(givenToken)
        } catch {
            throw .orderTokenUnavailable(OrderTokenFailure(error))
        }
    }

    /// Requests an order token from the app's function, until the deadline.
    private func orderToken() async throws(RelayError) -> String {
        let (client, reference) = (client, order.merchantReference)
        let clock = client.settings.clock
        let result = await clock.result(within: deadline - clock.now) { try await client.orderToken(reference) }
        do {
            return try OrderTokenFault.checked(try result.get())
        } catch {
            if Task.isCancelled { throw .cancelled(mayHaveBeenSent: attempts.mayHaveArrived) }
            throw .orderTokenUnavailable(OrderTokenFailure(error is TimeIsOver ? OrderTokenFault.timeout : error))
        }
    }
}

/// Why the order token of the app's function cannot be used.
enum OrderTokenFault: Error {
    /// The function returned no token within the time limit.
    case timeout
    /// The text is not a bearer token (RFC 6750, 2.1) but, for example, an error page. A line break in it would
    /// begin another header field.
    case notABearerToken

    /// Returns the token without surrounding white space.
    static func checked(_ text: String) throws(OrderTokenFault) -> String {
        let token = String(text.trimmed)
        let letters = token.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
        guard (1...8_192).contains(letters.count), letters.allSatisfy(isOfABearerToken) else { throw .notABearerToken }
        return token
    }

    private static func isOfABearerToken(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "-._~+/".utf8.contains(byte)
    }
}

extension AskedOrder {
    /// Whether the reference is valid, and so is exactly one segment of a path.
    fileprivate var hasReferenceForAPath: Bool {
        merchantReference.isMerchantReference && !merchantReference.isDotSegment
    }
}

extension TransportFailure {
    /// Whether the request may have reached the relay.
    fileprivate var mayHaveArrived: Bool {
        switch self {
        case .lost: true
        case .notSent, .insecure: false
        }
    }
}
