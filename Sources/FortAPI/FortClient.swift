public import Primitives
import OutboundHTTP

/// FORT's language, spoken: a request goes out signed, and an answer comes back verified or not at all.
///
/// This room knows FORT's fields and their limits (``FortField``), signatures (``FortSignature``), codes (``FortCode``),
/// requests and answers. It knows nothing of orders that last longer than one exchange.
public struct FortClient: Sendable, Redacted {
    public let account: FortAccount
    public let endpoint: FortEndpoint
    private let transport: any FortTransport
    private let observe: @Sendable (FortExchange) -> Void

    /// - Parameter observe: told of each exchange once it has ended; must not block.
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
    /// - Parameter timeout: for the whole exchange. After it nobody knows what became of the request.
    /// - Throws: ``FortFailure``. Unless it is `notSent`, only CHECK_STATUS can tell what happened.
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
        observe(FortExchange(command: message.command, duration: start.duration(to: .now), result: result))
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
            switch error {
            case .notSent(let reason): throw .notSent(reason: reason)
            case .noAnswer(let reason): throw .noAnswer(reason: reason)
            }
        }
    }
}
