public import OutboundHTTP
public import PayrelayPrimitives

/// Sends signed requests to FORT and returns verified answers only.
///
/// This room knows FORT's fields and their limits (``FortField``), signatures (``FortSignature``), codes (``FortCode``),
/// requests and answers. It knows nothing of orders that last longer than one exchange.
public struct FortClient: Sendable, Redacted {
    public let account: FortAccount
    public let endpoint: FortEndpoint
    private let transport: any FortTransport
    private let observe: @Sendable (FortExchange) -> Void

    /// - Parameter observe: called after each exchange; must not block.
    public init(
        account: FortAccount, endpoint: FortEndpoint, transport: any FortTransport,
        observe: @escaping @Sendable (FortExchange) -> Void = { _ in }
    ) {
        self.account = account
        self.endpoint = endpoint
        self.transport = transport
        self.observe = observe
    }

    /// Signs, sends once, and verifies what comes back.
    ///
    /// - Parameter timeout: for the whole exchange. After it the request's outcome is unknown.
    /// - Throws: ``FortFailure``. Unless the request was not sent, only CHECK_STATUS can tell what happened.
    public func send(_ request: some FortRequest, timeout: Duration) async throws(FortFailure) -> FortAnswer {
        try await send(FortMessage(signing: request, for: account), timeout: timeout)
    }

    /// Sends a message that this client's account has signed.
    public func send(_ message: FortMessage, timeout: Duration) async throws(FortFailure) -> FortAnswer {
        let start = ContinuousClock.now
        let result: Result<FortAnswer, FortFailure>
        do throws(FortFailure) {
            result = .success(try await exchange(message, timeout: timeout))
        } catch {
            result = .failure(error)
        }
        observe(
            FortExchange(
                command: message.command, accessCode: account.accessCode, duration: start.duration(to: .now),
                result: result))
        return try result.get()
    }

    private func exchange(_ message: FortMessage, timeout: Duration) async throws(FortFailure) -> FortAnswer {
        let answer = try await post(message, timeout: timeout)
        do throws(FortAnswerError) {
            guard answer.status == 200 else { throw FortAnswerError.httpStatus(answer.status) }
            return try FortAnswer(verifying: answer.body, of: account, to: message)
        } catch {
            throw .unverified(error)
        }
    }

    public var description: String { "FORT at \(endpoint)" }

    private func post(
        _ message: FortMessage, timeout: Duration
    ) async throws(FortFailure) -> (status: Int, body: [UInt8]) {
        do {
            return try await transport.post(message.body, to: endpoint, timeout: timeout)
        } catch {
            throw .outbound(error)
        }
    }
}

/// Why there is no ``FortAnswer``.
public enum FortFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// No answer came: the request was not sent, and it is safe to try again; or it was, and its outcome is unknown.
    case outbound(OutboundFailure)
    /// What came back does not prove to be FORT's answer. The outcome is unknown.
    case unverified(FortAnswerError)

    public var description: String {
        switch self {
        case .outbound(.notSent(let reason)): "FORT could not be reached: \(reason)"
        case .outbound(.noAnswer(let reason)): "FORT did not answer: \(reason)"
        case .unverified(let error): "the answer cannot be verified: \(error)"
        }
    }
}

/// One request to FORT and its result, for metrics.
public struct FortExchange: Sendable {
    public let command: FortCommand
    /// Of the account that asked.
    public let accessCode: String
    /// From the request's leaving to the verified answer, or to the failure.
    public let duration: Duration
    public let result: Result<FortAnswer, FortFailure>
}

/// Sends a body to FORT: libcurl in the service, a script in tests.
public protocol FortTransport: Sendable {
    /// POSTs a body of JSON, once. Never repeats it by itself.
    func post(
        _ body: [UInt8], to endpoint: FortEndpoint, timeout: Duration
    ) async throws(OutboundFailure) -> (status: Int, body: [UInt8])
}

extension OutboundClient: FortTransport {
    public func post(
        _ body: [UInt8], to endpoint: FortEndpoint, timeout: Duration
    ) async throws(OutboundFailure) -> (status: Int, body: [UInt8]) {
        let answer = try await send(
            OutboundRequest(method: .post, url: endpoint.url, headers: Self.jsonHeaders, body: body, timeout: timeout))
        return (answer.status, answer.body)
    }

    private static let jsonHeaders = [
        (name: "Content-Type", value: "application/json"), (name: "Accept", value: "application/json"),
    ]
}
