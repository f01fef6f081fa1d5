public import ApplePayToken
public import PayrelayPrimitives
import Synchronization

extension PaymentRelay {
    /// Whether tokens are verified.
    public var verifiesTokens: Bool { policy.verifier != nil }

    /// Verifies a token without charging anything.
    ///
    /// - Returns: `nil` if the operator turned verification off.
    public func verify(_ token: PaymentToken, applicationDataHash: HexText? = nil) -> TokenVerification? {
        guard let verifier = policy.verifier else { return nil }
        let verification = verifier.verify(token, at: .instant(now()), applicationDataHash: applicationDataHash)
        certificateExpiry.withLock { $0.record(verification) }
        return verification
    }

    /// Verifies the token of a payment.
    ///
    /// - Returns: `nil` if verification is off, or if a stored card pays, so that there is no token.
    /// - Parameter slowExecutor: runs computations that take milliseconds; `nil` for the payment's executor.
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

    /// How many days the certificates of valid tokens last; `nil` until there was a valid token.
    public var certificateDaysLeft: SignerCertificateExpiry.DaysLeft? {
        certificateExpiry.withLock { $0.daysLeft(at: now()) }
    }

    /// How tokens were verified; `nil` if tokens are not verified.
    public var chainCacheUse: ChainCacheUse? { policy.verifier?.chainCacheUse }
}
