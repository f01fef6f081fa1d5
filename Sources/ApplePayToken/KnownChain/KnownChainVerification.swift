import Crypto
import Primitives

/// Verifies a token of a known chain at the cost of one signature, by the same checks as OpenSSL's way and only where OpenSSL would
/// accept it too. OpenSSL is the reference: it verifies every token that this way does not accept, and explains the failure.
extension TokenVerifier {
    /// nil where the chain is unknown, the layout is not Apple's, or a check fails.
    func verifyByKnownChain(
        _ token: PaymentToken, at moment: Moment, applicationDataHash: HexText? = nil
    ) -> TokenVerification? {
        let bytes = token.signature.bytes
        guard let layout = try? AppleMessageLayout(ber: bytes),
            let chain = chains[SHA256.hash(data: bytes[layout.certificates])],
            let message = try? KnownChainMessage(bytes, layout, chain: chain)
        else { return nil }
        let verification = judge(token, at: moment, applicationDataHash: applicationDataHash) {
            StructureCheck.result(message, $0)
        }
        return verification.isValid ? verification : nil
    }

    /// - Parameters:
    ///   - message: of a token that is valid as a whole. Its chain is not cached where the layout is not Apple's.
    ///   - bytes: the same message in BER.
    func rememberChain(of message: OpenSSLMessage, ber bytes: [UInt8]) {
        guard let layout = try? AppleMessageLayout(ber: bytes),
            let chain = try? KnownChain(of: message, in: bytes, layout)
        else { return }
        chains.remember(chain, as: SHA256.hash(data: bytes[layout.certificates]))
    }
}
