public import PayrelayPrimitives
public import ApplePayToken
import Synchronization

extension PaymentRelay {
    /// Whether tokens are verified at all.
    public var verifiesTokens: Bool { policy.verifier != nil }

    /// Verifies a token and charges nothing.
    ///
    /// - Returns: nil where the operator turned verification off.
    public func verify(_ token: PaymentToken, applicationDataHash: HexText? = nil) -> TokenVerification? {
        guard let verifier = policy.verifier else { return nil }
        let verification = verifier.verify(token, at: .instant(now()), applicationDataHash: applicationDataHash)
        certificateExpiry.withLock { $0.record(verification) }
        return verification
    }

    /// Verifies the token of a payment.
    ///
    /// - Returns: nil where verification is off, or a stored card pays and there is no token.
    /// - Parameter slowExecutor: where to compute for milliseconds; nil is where the payment is.
    func verify(
        _ request: PaymentRequest, slowExecutor: (any TaskExecutor)?
    ) async -> TokenVerification? {
        guard let verifier = policy.verifier, let token = request.token else { return nil }
        let moment = Moment.instant(now())
        let verification: TokenVerification
        switch verifier.verifyAtOnce(token, at: moment, applicationDataHash: request.applicationDataHash) {
        case .judged(let judged): verification = judged
        case .needsOpenSSL(let verify):
            verification = await withTaskExecutorPreference(slowExecutor) { verify() }
        }
        certificateExpiry.withLock { $0.record(verification) }
        return verification
    }

    /// How long the certificates last that valid tokens came with; nil until there was such a token.
    public var certificateDaysLeft: SignerCertificateExpiry.DaysLeft? {
        certificateExpiry.withLock { $0.daysLeft(at: now()) }
    }

    /// How tokens were verified; nil where they are not.
    public var chainCacheUse: ChainCacheUse? { policy.verifier?.chainCacheUse }
}
