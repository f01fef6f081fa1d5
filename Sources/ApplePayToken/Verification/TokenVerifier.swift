import struct FoundationEssentials.Date

/// Says whether Apple signed a token, by Apple's published steps ("Payment token format reference", step 1), and if
/// not, which check failed and why.
///
/// Each check is made on what earlier ones established and fails closed. OpenSSL reads the message and judges chain
/// and signature; the policies around it are values and plain functions, one a file, in `Checks/`.
public struct TokenVerifier: Sendable {
    /// What the chain must end in.
    public let anchor: TrustAnchor
    /// How far the signing time may lie from the moment of judging, either way, in seconds.
    public let freshness: Int

    /// - Parameter freshness: in seconds; Apple's step 1.e says five minutes.
    public init(anchor: TrustAnchor = .appleRootCAG3, freshness: Int = 300) {
        self.anchor = anchor
        self.freshness = freshness
    }

    /// Makes every check.
    public func verify(_ token: PaymentToken, at moment: Moment) -> TokenVerification {
        let content = token.signedContent
        var list = CheckList()

        let message = list.check(.structure, given: token.signature.bytes, StructureCheck.judge)
        let signer = list.check(.signer, given: message?.contents, SignerCheck.judge)
        let leaf = signer?.certificate
        let issuer = list.check(.certificates, given: both(message, leaf), CertificatesCheck.judge)
        _ = list.check(.leafMarker, given: leaf, MarkerCheck.leaf.judge)
        _ = list.check(.intermediateMarker, given: issuer, MarkerCheck.intermediate.judge)
        let attributes = list.check(.signedAttributes, given: signer, SignedAttributesCheck.judge)
        _ = list.check(.algorithms, given: both(signer, attributes)) { (signer, attributes) throws(Refusal) in
            try AlgorithmsCheck.judge(signer, attributes, version: token.version)
        }
        _ = list.check(.chain, given: both(both(leaf, issuer), attributes)) { (path, attributes) throws(Refusal) in
            try ChainCheck.judge(leaf: path.0, issuer: path.1, anchor: anchor, at: attributes.signingTime)
        }
        _ = list.check(.detached, given: message?.contents, DetachedCheck.judge)
        _ = list.check(.messageDigest, given: attributes) { (attributes) throws(Refusal) in
            try MessageDigestCheck.judge(attributes, content: content)
        }
        _ = list.check(.signature, given: both(message, signer)) { (message, _) throws(Refusal) in
            try SignatureCheck.judge(message)
        }
        let sound = list.allPassed ? both(message, attributes) : nil
        _ = list.check(.message, given: sound) { (message, attributes) throws(Refusal) in
            try MessageCheck.judge(message, content: content, anchor: anchor, at: attributes.signingTime)
        }
        _ = list.check(.freshness, given: attributes) { (attributes) throws(Refusal) in
            try FreshnessCheck.judge(attributes.signingTime, at: moment, window: freshness)
        }
        return TokenVerification(
            checks: list.checks, signingTime: attributes?.signingTime,
            certificates: message?.contents.certificates ?? [])
    }
}

/// Two pieces of evidence as one: nil where either is missing.
private func both<First, Second>(_ first: First?, _ second: Second?) -> (First, Second)? {
    if let first, let second { (first, second) } else { nil }
}
