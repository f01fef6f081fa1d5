import Primitives
import Crypto

/// The two ways to verify. They make the same checks and differ in who reads the message and who vouches for its chain.
extension TokenVerifier {
    /// Accepts, or says nothing: nil where the chain is not known, the layout is not Apple's, or a check refuses.
    func verifyByKnownChain(
        _ token: PaymentToken, at moment: Moment, applicationDataHash: HexText? = nil
    ) -> TokenVerification? {
        let bytes = token.signature.bytes
        guard let layout = try? MessageLayout(ber: bytes),
            let chain = chains[SHA256.hash(data: bytes[layout.certificates])],
            let message = try? KnownChainMessage(bytes, layout, chain: chain)
        else { return nil }
        let verification = judge(token, at: moment, applicationDataHash: applicationDataHash) {
            StructureCheck.finding(message, $0)
        }
        return verification.isValid ? verification : nil
    }

    /// The reference. Remembers the chain of a token that is valid as a whole.
    func verifyByOpenSSL(
        _ token: PaymentToken, at moment: Moment, applicationDataHash: HexText? = nil
    ) -> TokenVerification {
        var message: OpenSSLMessage?
        let verification = judge(token, at: moment, applicationDataHash: applicationDataHash) {
            bytes throws(CheckFailure) in
            let finding = try StructureCheck.judge(bytes)
            message = finding.value
            return finding
        }
        let bytes = token.signature.bytes
        if verification.isValid, let message, let layout = try? MessageLayout(ber: bytes),
            let chain = try? KnownChain(of: message, in: bytes, layout)
        {
            chains.remember(chain, as: SHA256.hash(data: bytes[layout.certificates]))
        }
        return verification
    }
}
