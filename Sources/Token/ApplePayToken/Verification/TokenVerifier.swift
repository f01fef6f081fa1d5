public import PayrelayPrimitives

public import struct FoundationEssentials.Date

/// Verifies that Apple signed a token, and reports each check.
///
/// The checks follow step 1 of Apple's "Payment token format reference":
/// - 1.a: the signer's certificate and its issuer have Apple's markers (``MarkerCheck``).
/// - 1.b and 1.c: signer, intermediate and Apple's root form a valid chain (``CertificatesCheck``,
///   ``ChainCheck``).
/// - 1.d: the signature covers the token's fields, with the algorithms of the token's version
///   (``AlgorithmsCheck``, ``MessageDigestCheck``, ``SignatureCheck``).
/// - 1.e: the signing time is close to now (``FreshnessCheck``).
///
/// The other checks exclude messages that OpenSSL or other software could read in another way. Each check is a
/// plain function in a file of its own in `Checks/`. It depends on the results of earlier checks, and fails if
/// one is missing (S2).
///
/// ``SignedMessage`` parses the message, and OpenSSL its certificates. If the pair of certificates was validated
/// before, a token costs only the verification of one signature; see ``ValidatedPairCache``.
public struct TokenVerifier: Sendable {
    /// The trust anchor in which the certificate path must end.
    public let anchor: TrustAnchor
    /// The maximum difference between the signing time and the time of verification, in either direction.
    public let freshness: Duration
    /// The certificates for which tokens may be encrypted; empty if this is not checked. Copies of this verifier
    /// share the object.
    public let processingCertificates: ProcessingCertificates
    public let unknownProcessingCertificates: UnknownProcessingCertificates
    public let sandboxSigners: SandboxSigners
    /// OpenSSL's store with the trust anchor, or the reason why OpenSSL rejected the anchor. Copies of this
    /// verifier share the store.
    private let store: Result<OpenSSLStore, CheckFailure>
    /// The validated pairs of certificates. Copies of this verifier share the cache.
    let pairs = ValidatedPairCache()

    /// - Parameter freshness: the maximum difference between the signing time and now. Apple's step 1.e says five
    ///   minutes.
    public init(
        anchor: TrustAnchor = .appleRootCAG3, freshness: Duration = .seconds(300),
        processingCertificates: ProcessingCertificates = [],
        unknownProcessingCertificates: UnknownProcessingCertificates = .refused,
        sandboxSigners: SandboxSigners = .accepted
    ) {
        self.anchor = anchor
        self.freshness = freshness
        self.processingCertificates = processingCertificates
        self.unknownProcessingCertificates = unknownProcessingCertificates
        self.sandboxSigners = sandboxSigners
        store = Result { () throws(CheckFailure) in try OpenSSLStore(anchor: anchor) }
    }

    /// Makes every check.
    ///
    /// - Parameter applicationDataHash: the SHA-256 of the payment request's `applicationData`; `nil` if the
    ///   order does not name it.
    public func verify(
        _ token: PaymentToken, at moment: Moment, applicationDataHash: HexText? = nil
    ) -> TokenVerification {
        switch verifyAtOnce(token, at: moment, applicationDataHash: applicationDataHash) {
        case .judged(let verification): verification
        case .needsOpenSSL(let verify): verify()
        }
    }

    /// The result of a verification that costs at most one signature.
    public enum AtOnce: Sendable {
        case judged(TokenVerification)
        /// The certificates must be validated first, which takes milliseconds. Call `verify` on a thread on which
        /// nothing else waits.
        case needsOpenSSL(verify: @Sendable () -> TokenVerification)
    }

    /// Verifies a token if that costs at most one signature, about ten microseconds. Otherwise returns a function
    /// that verifies the token. In both cases the message is parsed only once.
    public func verifyAtOnce(
        _ token: PaymentToken, at moment: Moment, applicationDataHash: HexText? = nil
    ) -> AtOnce {
        let message = Result { () throws(CheckFailure) in try SignedMessage(ber: token.signature.bytes) }
        if case .success(let message) = message, let pair = pairs.pair(of: message.certificates) {
            let read = ReadMessage(message, pair)
            let verification = judge(.success(read), token, at: moment, applicationDataHash: applicationDataHash)
            // If a certificate is not valid at the signing time, OpenSSL must say which one.
            if verification[.chain]?.verdict != .failed {
                pairs.countHit()
                return .judged(verification)
            }
        }
        return .needsOpenSSL {
            verifyThroughOpenSSL(token, message, at: moment, applicationDataHash: applicationDataHash)
        }
    }

    /// Verifies a token with certificates that OpenSSL parses and validates, which takes milliseconds. If the
    /// token passes every check and has exactly the two certificates of the path, they are added to the cache.
    ///
    /// - Parameter message: the parsed signature of the token.
    func verifyThroughOpenSSL(
        _ token: PaymentToken, _ message: Result<SignedMessage, CheckFailure>, at moment: Moment,
        applicationDataHash: HexText? = nil
    ) -> TokenVerification {
        pairs.countMiss()
        let read = Result { () throws(CheckFailure) in
            let message = try message.get()
            return ReadMessage(message, try OpenSSLCertificates(message.certificates, trusting: store))
        }
        let verification = judge(read, token, at: moment, applicationDataHash: applicationDataHash)
        if verification.isValid, let path = verification.path,
            verification.certificates == [path.leaf, path.intermediate],
            let key = try? read.get().certificates.publicKey(of: path.leaf)
        {
            pairs.remember(ValidatedPair(path: path, leafKey: key))
        }
        return verification
    }

    /// The numbers of hits and misses in the cache of validated pairs.
    public var chainCacheUse: ChainCacheUse { pairs.use }

    /// Makes every check, in the order of ``CheckName``.
    private func judge(
        _ read: Result<ReadMessage, CheckFailure>, _ token: PaymentToken, at moment: Moment,
        applicationDataHash: HexText?
    ) -> TokenVerification {
        var list = CheckList()

        let size = token.signature.bytes.count
        let read = list.check(.structure, given: read) { (read) throws(CheckFailure) in
            try StructureCheck.judge(read, size: size)
        }
        let certificates = read?.certificates
        let signer = list.check(.signer, given: read, SignerCheck.judge)
        let path = list.check(.certificates, given: all(certificates, signer?.certificate), CertificatesCheck.judge)
        _ = list.check(.leafMarker, given: signer?.certificate, MarkerCheck.leaf.judge)
        _ = list.check(.intermediateMarker, given: path?.intermediate, MarkerCheck.intermediate.judge)
        _ = list.check(.basicConstraints, given: path, BasicConstraintsCheck.judge)
        _ = list.check(.keyUsage, given: path, KeyUsageCheck.judge)
        let attributes = list.check(.signedAttributes, given: signer?.signer, SignedAttributesCheck.judge)
        _ = list.check(.algorithms, given: all(signer?.signer, attributes)) {
            (signer, attributes) throws(CheckFailure) in
            try AlgorithmsCheck.judge(signer, attributes, version: token.version)
        }
        _ = list.check(.signerKey, given: path?.leaf) { (leaf) throws(CheckFailure) in
            try SignerKeyCheck.judge(leaf, version: token.version)
        }
        _ = list.check(.chain, given: all(certificates, path, attributes)) {
            (certificates, path, attributes) throws(CheckFailure) in
            try ChainCheck.judge(certificates, path, anchor: anchor, at: attributes.signingTime)
        }
        _ = list.check(.detached, given: read?.message, DetachedCheck.judge)
        _ = list.check(.messageDigest, given: attributes) { (attributes) throws(CheckFailure) in
            try MessageDigestCheck.judge(attributes.messageDigest, token)
        }
        _ = list.check(.signature, given: all(certificates, signer)) { (certificates, signer) throws(CheckFailure) in
            try SignatureCheck.judge(signer.signer, certificates.publicKey(of: signer.certificate))
        }
        _ = list.check(.message, given: list.allPassed ? read?.message : nil, MessageCheck.judge)
        _ = list.check(.freshness, given: attributes) { (attributes) throws(CheckFailure) in
            try FreshnessCheck.judge(attributes.signingTime, at: moment, window: freshness)
        }
        makePolicyChecks(&list, on: token, leaf: path?.leaf, applicationDataHash: applicationDataHash)
        return TokenVerification(
            checks: list.checks, signingTime: attributes?.signingTime, certificates: certificates?.all ?? [], path: path
        )
    }
}

/// Combines pieces of evidence; `nil` if any of them is missing.
private func all<First, Second>(_ first: First?, _ second: Second?) -> (First, Second)? {
    guard let first, let second else { return nil }
    return (first, second)
}

private func all<First, Second, Third>(_ first: First?, _ second: Second?, _ third: Third?) -> (First, Second, Third)? {
    guard let first, let second, let third else { return nil }
    return (first, second, third)
}

extension TokenVerifier {
    /// Makes the checks that depend on the operator's settings or on the order.
    private func makePolicyChecks(
        _ list: inout CheckList, on token: PaymentToken, leaf: Certificate?, applicationDataHash: HexText?
    ) {
        list.check(
            .sandboxSigner, asked: sandboxSigners == .refused ? true : nil,
            missing: "not configured: sandbox signers are accepted", given: leaf
        ) { (leaf, _) throws(CheckFailure) in try SandboxSignerCheck.judge(leaf) }
        let hash = token.header.publicKeyHash
        let certificates = processingCertificates.all
        let isAsked = unknownProcessingCertificates == .refused || PublicKeyHashCheck.isKnown(hash, among: certificates)
        list.check(
            .publicKeyHash, asked: certificates.isEmpty || !isAsked ? nil : certificates,
            missing: certificates.isEmpty
                ? "not configured: no payment processing certificate is named"
                : "accepted as configured, though it is of none of the configured payment processing certificates",
            given: hash
        ) { (hash, certificates) throws(CheckFailure) in try PublicKeyHashCheck.judge(hash, among: certificates) }
        list.check(
            .applicationData, asked: applicationDataHash, missing: "the order has no application_data_hash",
            given: token.header
        ) { (header, expected) throws(CheckFailure) in
            try ApplicationDataCheck.judge(header.applicationData, expected: expected)
        }
    }
}

/// The time at which a token is verified. Callers pass the clock in.
public enum Moment: Equatable, Sendable {
    /// The signing time that the token states: for old tokens, whose freshness does not matter.
    case signingTime
    /// A given time, usually now.
    case instant(Date)
}
