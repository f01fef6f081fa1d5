import PayrelayPrimitives

/// Verifies a token by a known message at the cost of one signature, and only where OpenSSL would accept it too. OpenSSL is the
/// reference: it verifies every token that this way does not accept, and explains the failure.
extension TokenVerifier {
    /// nil where no known message is like the token's, or a check fails.
    func verifyByKnownMessage(
        _ token: PaymentToken, at moment: Moment, applicationDataHash: HexText? = nil
    ) -> TokenVerification? {
        let bytes = token.signature.bytes
        guard let (known, signature) = messages.message(like: token), let signingTime = known.signingTime(in: bytes),
            known.path.isValid(at: signingTime)
        else { return nil }
        var list = CheckList()
        for check in known.checks {
            switch check.name {
            case .signer, .certificates, .leafMarker, .intermediateMarker, .basicConstraints, .keyUsage, .algorithms,
                .signerKey, .detached:
                list.add(check)
            case .structure: list.add(.structure, StructureCheck.detail(bytes))
            case .signedAttributes: list.add(.signedAttributes, SignedAttributesCheck.detail(signingTime))
            case .chain: list.add(.chain, ChainCheck.detail(anchor, at: signingTime))
            case .messageDigest:
                _ = list.check(.messageDigest, given: known.messageDigest(in: bytes)) { (digest) throws(CheckFailure) in
                    try MessageDigestCheck.judge(digest, token)
                }
            // Of both the signature is left to be verified: once all else is.
            case .signature, .message: list.add(check)
            case .freshness:
                _ = list.check(.freshness, given: signingTime) { (signingTime) throws(CheckFailure) in
                    try FreshnessCheck.judge(signingTime, at: moment, window: freshness)
                }
            // They are made together.
            case .sandboxSigner:
                makePolicyChecks(&list, on: token, leaf: known.path.leaf, applicationDataHash: applicationDataHash)
            case .publicKeyHash, .applicationData: break
            }
        }
        let verification = TokenVerification(
            checks: list.checks, signingTime: signingTime, certificates: known.certificates, path: known.path)
        return verification.isValid && known.verifies(signature, in: bytes) ? verification : nil
    }
}
