import FortAPI
import OutboundHTTP
import PayrelayPrimitives
import ProcessorModule
import RelayServer

extension AvailabilityWatch {
    /// - Parameter isQuestion: whether it was sent to find out how FORT answers.
    func observe(_ exchange: FortExchange, of accounts: FortAccounts, isQuestion: Bool = false) {
        guard let entry = accounts.entry(identifiedBy: exchange.accessCode) else { return }
        let isVerified = if case .answered(.success) = exchange.outcome { true } else { false }
        observe(entry.name, exchange.availability ?? (isQuestion ? .notAnswering : nil), isVerified: isVerified)
    }
}

extension FortExchange {
    /// How FORT answered; nil where nothing was sent.
    fileprivate var availability: AccountAvailability.State? {
        switch outcome {
        // Another command may be refused for its own sake.
        case .answered(.success(let answer)):
            command == .checkStatus && [.signature, .configuration].contains(answer.class) ? .refusing : .answering
        case .notSent: nil
        case .unknown: .notAnswering
        // A gateway in front of FORT.
        case .answered(.failure(.httpStatus(500...))): .notAnswering
        case .answered(.failure): .unproven
        }
    }
}

extension AccountProbe {
    /// Sends CHECK_STATUS, which changes nothing, about an order that does not exist.
    init(
        _ watch: AvailabilityWatch, accounts: FortAccounts, endpoint: GatewayEndpoint, transport: any GatewayTransport,
        timeout: Duration, observe: @escaping @Sendable (FortExchange) -> Void
    ) {
        self.init(watch) { name in
            guard let account = accounts.entry(named: name)?.account,
                let probe = try? FortMessage.probe(for: account)
            else { return }
            let client = FortClient(account: account, endpoint: endpoint, transport: transport, observe: observe)
            // The observer has the result.
            _ = await client.exchange(probe, timeout: timeout)
        }
    }
}
