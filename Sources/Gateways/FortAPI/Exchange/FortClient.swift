public import OutboundHTTP
public import PayrelayPrimitives

/// Sends signed requests to FORT and returns verified answers only.
///
/// This room knows FORT's fields and their limits (``FortField``), signatures (``FortSignature``), codes (``FortCode``),
/// requests and answers. It knows nothing of orders that last longer than one exchange.
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

    /// Signs, sends once, and verifies what comes back.
    ///
    /// - Parameter timeout: for the whole exchange. After it the request's outcome is unknown.
    /// - Returns: FORT's answer, if it is proven. Unless the request was not sent, only CHECK_STATUS can tell what happened.
    public func send(_ request: FortRequest, timeout: Duration) async -> Outcome<FortAnswer> {
        await exchange(FortMessage(signing: request, for: account), timeout: timeout).proven
    }

    /// Sends a message that this client's account has signed, once.
    public func exchange(_ message: FortMessage, timeout: Duration) async -> FortExchange {
        let start = ContinuousClock.now
        let answer = await transport.send(.json(message.body, to: endpoint, timeout: timeout))
        let exchange = verified(answer, to: message, after: start.duration(to: .now))
        observe(exchange)
        return exchange
    }

    // Stays a function of its own: what it needs would otherwise wait for the answer in the frame of `exchange`.
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
    /// Of the account that asked.
    public let accessCode: String
    /// From the request's leaving to the verified answer, or to the failure.
    public let duration: Duration
    /// Outcome of the request, with the verified answer or the reason why it does not prove to be FORT's.
    public let outcome: Outcome<Result<FortAnswer, FortAnswerError>>

    /// The outcome, in which an unverified answer is an unknown outcome.
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
    /// For an operator: where the SHA type is wrong, FORT refuses the request's signature, and its answer cannot be verified either.
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
