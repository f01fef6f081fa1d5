public import OutboundHTTP
public import PayrelayPrimitives

/// Sends the requests of one account to Portmone, and parses the answers.
///
/// Portmone does not sign its answers. The transport ensures that an answer came over verified TLS to this
/// service's request. ``PaymentIdentity`` decides what the answer proves.
public struct PortmoneClient: Sendable, Redacted {
    public let account: PortmoneAccount
    public let endpoint: PortmoneEndpoint
    private let transport: any GatewayTransport
    private let observe: @Sendable (PortmoneExchange) -> Void

    /// - Parameter observe: called after each exchange; must not block.
    public init(
        account: PortmoneAccount, endpoint: PortmoneEndpoint, transport: any GatewayTransport,
        observe: @escaping @Sendable (PortmoneExchange) -> Void = { _ in }
    ) {
        self.account = account
        self.endpoint = endpoint
        self.transport = transport
        self.observe = observe
    }

    /// Sends a request once.
    ///
    /// - Parameter timeout: the time limit for the whole exchange. When it passes, the request's outcome is
    ///   unknown.
    /// - Returns: Portmone's answer, if it can be read. Otherwise, unless the request was not sent, only a
    ///   ``ResultRequest`` can find out what happened.
    public func send(_ request: some PortmoneRequest, timeout: Duration) async -> Outcome<PortmoneAnswer> {
        let start = ContinuousClock.now
        let outcome = await transport.send(
            .json(request.body(for: account), to: endpoint.address(of: request.method), timeout: timeout)
        ).map { answer in
            Result { () throws(PortmoneAnswerError) in
                // An error of Portmone may have another status, but so does the error page of a proxy in between.
                guard answer.status == 200 else { throw .httpStatus(answer.status) }
                return try PortmoneAnswer(reading: answer.body)
            }
        }
        let exchange = PortmoneExchange(
            method: request.method, payeeID: account.payeeID, duration: start.duration(to: .now), outcome: outcome)
        observe(exchange)
        return exchange.readable
    }

    public var description: String { "Portmone at \(endpoint)" }
}

/// One request to Portmone and how it ended.
public struct PortmoneExchange: Sendable {
    public let method: PortmoneMethod
    /// The payee of the account that sent the request.
    public let payeeID: String
    /// The time from sending the request to the answer, or to the failure.
    public let duration: Duration
    public let outcome: Outcome<Result<PortmoneAnswer, PortmoneAnswerError>>

    /// The outcome, in which an unreadable answer counts as an unknown outcome.
    public var readable: Outcome<PortmoneAnswer> {
        switch outcome {
        case .answered(.success(let answer)): .answered(answer)
        case .answered(.failure(let error)): .unknown(reason: "Portmone's answer proves nothing: \(error)")
        case .notSent(let reason): .notSent(reason: "Portmone could not be reached: \(reason)")
        case .unknown(let reason): .unknown(reason: "Portmone did not answer: \(reason)")
        }
    }
}
