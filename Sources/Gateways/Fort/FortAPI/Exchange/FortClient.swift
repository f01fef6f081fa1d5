public import OutboundHTTP
public import PayrelayPrimitives

/// Sends signed requests to FORT and returns only verified answers.
///
/// This target defines FORT's fields and their limits (``FortField``), signatures (``FortSignature``), codes
/// (``FortCode``), requests and answers. It has no state beyond one exchange.
public struct FortClient: Sendable, Redacted {
    public let account: FortAccount
    public let endpoint: GatewayEndpoint
    private let transport: any GatewayTransport
    private let observe: @Sendable (FortExchange) -> Void

    /// - Parameter observe: called after each exchange; must not block.
    public init(
        account: FortAccount, endpoint: GatewayEndpoint, transport: any GatewayTransport,
        observe: @escaping @Sendable (FortExchange) -> Void = { _ in }
    ) {
        self.account = account
        self.endpoint = endpoint
        self.transport = transport
        self.observe = observe
    }

    /// Signs a request, sends it once, and verifies the answer.
    ///
    /// - Parameter timeout: the time limit for the whole exchange. When it passes, the request's outcome is
    ///   unknown.
    /// - Returns: FORT's answer, if it is verified. Otherwise, unless the request was not sent, only CHECK_STATUS
    ///   can find out what happened.
    public func send(_ request: FortRequest, timeout: Duration) async -> Outcome<FortAnswer> {
        await exchange(FortMessage(signing: request, for: account), timeout: timeout).proven
    }

    /// Sends a message once. The message must be signed for this client's account.
    public func exchange(_ message: FortMessage, timeout: Duration) async -> FortExchange {
        let start = ContinuousClock.now
        let answer = await transport.send(.json(message.body, to: endpoint, timeout: timeout))
        let exchange = verified(answer, to: message, after: start.duration(to: .now))
        observe(exchange)
        return exchange
    }

    // Never inlined: the values that the verification needs would otherwise stay in the frame of `exchange` while
    // it waits for the answer.
    @inline(never) private func verified(
        _ answer: Outcome<OutboundAnswer>, to message: FortMessage, after duration: Duration
    ) -> FortExchange {
        let outcome = answer.map { answer in
            Result { () throws(FortAnswerError) in
                guard answer.status == 200 else { throw .httpStatus(answer.status) }
                return try FortAnswer(verifying: answer.body, of: account, to: message)
            }
        }
        return FortExchange(
            command: message.command, accessCode: account.accessCode, duration: duration, outcome: outcome)
    }

    public var description: String { "FORT at \(endpoint)" }
}

/// One request to FORT and how it ended.
public struct FortExchange: Sendable {
    public let command: FortCommand
    /// The access code of the account that sent the request.
    public let accessCode: String
    /// The time from sending the request to the verified answer, or to the failure.
    public let duration: Duration
    /// The outcome of the request: the verified answer, or the reason why an answer is not proven to be
    /// FORT's.
    public let outcome: Outcome<Result<FortAnswer, FortAnswerError>>

    /// The outcome, in which an unverified answer counts as an unknown outcome.
    public var proven: Outcome<FortAnswer> {
        switch outcome {
        case .answered(.success(let answer)): .answered(answer)
        case .answered(.failure(let error)): .unknown(reason: "the answer cannot be verified: \(error)" + error.said)
        case .notSent(let reason): .notSent(reason: "FORT could not be reached: \(reason)")
        case .unknown(let reason): .unknown(reason: "FORT did not answer: \(reason)")
        }
    }
}

extension FortAnswerError {
    /// The code in an answer with a wrong signature, for the operator. If the SHA type is wrong, FORT rejects the
    /// request's signature, and FORT's answer cannot be verified either.
    fileprivate var said: String {
        if case .wrongSignature(saying: let code?) = self { "; unverified, it says \(code)" } else { "" }
    }
}

/// FORT's addresses.
extension GatewayEndpoint {
    /// APS's test environment.
    public static let fortTest = GatewayEndpoint(known: "https://sbpaymentservices.payfort.com/FortAPI/paymentApi")
    /// APS's production environment: real money.
    public static let fortProduction = GatewayEndpoint(known: "https://paymentservices.payfort.com/FortAPI/paymentApi")
}
