import FortAPI
import GatewayModule
import OutboundHTTP
import PayrelayPrimitives
import RelayServer

extension AvailabilityWatch {
    /// - Parameter isProbe: whether the request was sent only to find out how FORT answers.
    func observe(_ exchange: FortExchange, of accounts: FortAccounts, isProbe: Bool = false) {
        guard let entry = accounts.entry(identifiedBy: exchange.accessCode) else { return }
        let isVerified = if case .answered(.success) = exchange.outcome { true } else { false }
        observe(
            entry.name, exchange.availability ?? (isProbe ? .notAnswering : nil), isVerified: isVerified,
            failure: exchange.failure)
    }
}

extension FortExchange {
    /// The way in which FORT answered; `nil` if nothing was sent.
    fileprivate var availability: AccountAvailability.State? {
        switch outcome {
        // Only CHECK_STATUS counts as refusing: FORT may refuse another command for reasons of its own.
        case .answered(.success(let answer)):
            command == .checkStatus && [.signature, .configuration].contains(answer.class) ? .refusing : .answering
        case .notSent: nil
        case .unknown: .notAnswering
        // A proxy in front of FORT answered.
        case .answered(.failure(.httpStatus(500...))): .notAnswering
        case .answered(.failure): .unproven
        }
    }

    /// The reason why the answer is missing or not verified, with the settings that are the likely cause;
    /// `nil` if the answer is verified.
    fileprivate var failure: String? {
        switch outcome {
        case .answered(.success): nil
        case .notSent(let reason): "FORT could not be reached: \(reason)"
        case .unknown(let reason): "FORT did not answer: \(reason)"
        case .answered(.failure(let error)): "FORT's answer cannot be verified: \(error)\(error.advice)"
        }
    }
}

extension FortAnswerError {
    /// The settings to check, as a further sentence without its full stop; empty if no setting is the likely
    /// cause.
    fileprivate var advice: String {
        switch self {
        case .wrongSignature(saying: let code?) where code.class == .signature:
            ". Unverified, it says that the request's signature is wrong too. Compare signature_type, request_phrase and response_phrase of the account with APS's dashboard"
        case .wrongSignature:
            ". Compare response_phrase and signature_type of the account with APS's dashboard. Apple Pay has its own pair of phrases there"
        case .unsigned, .foreign, .incomplete, .splitElsewhere, .noResponseCode:
            ". Compare access_code and merchant_identifier of the account with APS's dashboard"
        case .httpStatus, .notJSON, .notAnObject: ". Look at fort.endpoint, and at proxies before FORT"
        }
    }
}

extension AccountProbe {
    /// Creates a probe that sends CHECK_STATUS about an order that does not exist. The query changes nothing.
    init(
        _ watch: AvailabilityWatch, accounts: FortAccounts, endpoint: GatewayEndpoint, transport: any GatewayTransport,
        timeout: Duration, observe: @escaping @Sendable (FortExchange) -> Void
    ) {
        self.init(watch) { name in
            guard let account = accounts.entry(named: name)?.account,
                let probe = try? FortMessage.probe(for: account)
            else { return }
            let client = FortClient(account: account, endpoint: endpoint, transport: transport, observe: observe)
            // The observer reports the result.
            _ = await client.exchange(probe, timeout: timeout)
        }
    }
}
