public import struct FoundationEssentials.Date
public import PayrelayPrimitives

/// Verifies that Apple signed a token, by Apple's published steps ("Payment token format reference", step 1), and reports each
/// check.
///
/// Each check builds on the results of earlier ones and fails closed (S2). ``SignedMessage`` reads the message, OpenSSL its
/// certificates; the checks are plain functions, one a file, in `Checks/`. Where a pair of certificates was validated before, a token
/// costs one signature: see ``ValidatedPairCache``.
public struct TokenVerifier: Sendable {
    /// The trust anchor in which the certificate path must end.
    public let anchor: TrustAnchor
    /// The largest difference allowed between the signing time and the time of verification, either way.
    public let freshness: Duration
    /// The certificates that tokens may be encrypted for; empty if that is not checked. Shared by copies of this
    /// verifier.
    public let processingCertificates: ProcessingCertificates
    public let unknownProcessingCertificates: UnknownProcessingCertificates
    public let sandboxSigners: SandboxSigners
    /// OpenSSL's store with the trust anchor, or the reason why it refused the anchor. Shared by copies of this
    /// verifier.
    private let store: Result<OpenSSLStore, CheckFailure>
    /// Shared by copies of this verifier.
    let pairs = ValidatedPairCache()

    /// - Parameter freshness: Apple's step 1.e says five minutes.
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
    /// - Parameter applicationDataHash: SHA-256 of the payment request's `applicationData`, where the order says it.
    public func verify(
        _ token: PaymentToken, at moment: Moment, applicationDataHash: HexText? = nil
    ) -> TokenVerification {
        switch verifyAtOnce(token, at: moment, applicationDataHash: applicationDataHash) {
        case .judged(let verification): verification
        case .needsOpenSSL(let verify): verify()
        }
    }

    /// What can be said of a token at the cost of at most one signature.
    public enum AtOnce: Sendable {
        case judged(TokenVerification)
        /// The certificates must be validated first, which takes milliseconds: to be called where nothing waits for the thread.
        case needsOpenSSL(verify: @Sendable () -> TokenVerification)
    }

    /// Verifies a token if that costs at most one signature, some ten microseconds; otherwise returns what does the rest. The message is
    /// read once in either case.
    public func verifyAtOnce(
        _ token: PaymentToken, at moment: Moment, applicationDataHash: HexText? = nil
    ) -> AtOnce {
        let message = Result { () throws(CheckFailure) in try SignedMessage(ber: token.signature.bytes) }
        if case .success(let message) = message, let pair = pairs.pair(of: message.certificates) {
            let read = ReadMessage(message, pair)
            let verification = judge(.success(read), token, at: moment, applicationDataHash: applicationDataHash)
            // Certificates outside their dates: OpenSSL says which.
            if verification[.chain]?.verdict != .failed {
                pairs.countHit()
                return .judged(verification)
            }
        }
        return .needsOpenSSL {
            verifyThroughOpenSSL(token, message, at: moment, applicationDataHash: applicationDataHash)
        }
    }

    /// Verifies a token with certificates that OpenSSL reads and validates, which takes milliseconds. Remembers the certificates of a token
    /// that is valid as a whole, if they are Apple's two.
    ///
    /// - Parameter message: the token's signature.
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

    /// How often ``verify(_:at:applicationDataHash:)`` took which of its two ways.
    public var chainCacheUse: ChainCacheUse { pairs.use }

    /// Makes every check, in their order.
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

/// Pieces of evidence as one: nil where any is missing.
private func all<First, Second>(_ first: First?, _ second: Second?) -> (First, Second)? {
    guard let first, let second else { return nil }
    return (first, second)
}

private func all<First, Second, Third>(_ first: First?, _ second: Second?, _ third: Third?) -> (First, Second, Third)? {
    guard let first, let second, let third else { return nil }
    return (first, second, third)
}

extension TokenVerifier {
    /// The checks that only the operator or the order can ask for.
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
