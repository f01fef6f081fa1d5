public import struct FoundationEssentials.Date
public import PayrelayPrimitives

/// Verifies that Apple signed a token, by Apple's published steps ("Payment token format reference", step 1), and reports each
/// check.
///
/// Each check builds on the results of earlier ones and fails closed (S2). OpenSSL reads the message and verifies chain and
/// signature; the checks around it are plain functions, one a file, in `Checks/`. A message of Apple's layout that is like one
/// which passed before costs one signature instead: see `KnownMessages/`.
public struct TokenVerifier: Sendable {
    /// What the chain must end in.
    public let anchor: TrustAnchor
    /// How far the signing time may lie from the moment of judging, either way, in seconds.
    public let freshness: Duration
    /// The certificates that tokens may be encrypted for; empty where that is not checked. Shared by copies of this verifier.
    public let processingCertificates: ProcessingCertificates
    public let unknownProcessingCertificates: UnknownProcessingCertificates
    public let sandboxSigners: SandboxSigners
    /// What OpenSSL trusts; the reason where it does not take the anchor. Shared by copies of this verifier.
    private let store: Result<OpenSSLStore, CheckFailure>
    /// Shared by copies of this verifier.
    let messages = KnownMessageCache()

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
        verifyAtOnce(token, at: moment, applicationDataHash: applicationDataHash)
            ?? verifyThroughOpenSSL(token, at: moment, applicationDataHash: applicationDataHash)
    }

    /// The same where it costs one signature, which is some ten microseconds; otherwise it is milliseconds.
    ///
    /// - Returns: nil where the message is not like a known one, or is not valid: ``verify(_:at:applicationDataHash:)`` says more.
    public func verifyAtOnce(
        _ token: PaymentToken, at moment: Moment, applicationDataHash: HexText? = nil
    ) -> TokenVerification? {
        let known = verifyByKnownMessage(token, at: moment, applicationDataHash: applicationDataHash)
        if known != nil { messages.countHit() }
        return known
    }

    /// The rest of ``verify(_:at:applicationDataHash:)``, for a token about which ``verifyAtOnce(_:at:applicationDataHash:)`` has no
    /// answer. It takes milliseconds.
    public func verifyThroughOpenSSL(
        _ token: PaymentToken, at moment: Moment, applicationDataHash: HexText? = nil
    ) -> TokenVerification {
        messages.countMiss()
        return verifyByOpenSSL(token, at: moment, applicationDataHash: applicationDataHash)
    }

    /// OpenSSL reads and verifies the message: the reference. Remembers the message of a token that is valid as a whole, where its
    /// layout is Apple's.
    func verifyByOpenSSL(
        _ token: PaymentToken, at moment: Moment, applicationDataHash: HexText? = nil
    ) -> TokenVerification {
        let (verification, message) = judge(token, at: moment, applicationDataHash: applicationDataHash)
        if verification.isValid, let message, let known = try? KnownMessage(of: token, verification, message) {
            messages.remember(known, of: token)
        }
        return verification
    }

    /// How often ``verify(_:at:applicationDataHash:)`` took which of its two ways.
    public var chainCacheUse: ChainCacheUse { messages.use }

    /// Makes every check, in their order.
    ///
    /// - Returns: also the message; nil where it cannot be read.
    private func judge(
        _ token: PaymentToken, at moment: Moment, applicationDataHash: HexText?
    ) -> (TokenVerification, OpenSSLMessage?) {
        var list = CheckList()

        let message = list.check(.structure, given: token.signature.bytes, StructureCheck.judge)
        let signer = list.check(.signer, given: message?.contents, SignerCheck.judge)
        let path = list.check(.certificates, given: all(message, signer?.certificate), CertificatesCheck.judge)
        _ = list.check(.leafMarker, given: signer?.certificate, MarkerCheck.leaf.judge)
        _ = list.check(.intermediateMarker, given: path?.intermediate, MarkerCheck.intermediate.judge)
        _ = list.check(.basicConstraints, given: path, BasicConstraintsCheck.judge)
        _ = list.check(.keyUsage, given: path, KeyUsageCheck.judge)
        let attributes = list.check(.signedAttributes, given: signer, SignedAttributesCheck.judge)
        _ = list.check(.algorithms, given: all(signer, attributes)) { (signer, attributes) throws(CheckFailure) in
            try AlgorithmsCheck.judge(signer, attributes, version: token.version)
        }
        _ = list.check(.signerKey, given: path?.leaf) { (leaf) throws(CheckFailure) in
            try SignerKeyCheck.judge(leaf, version: token.version)
        }
        _ = list.check(.chain, given: all(message, path, attributes)) {
            (message, path, attributes) throws(CheckFailure) in
            try ChainCheck.judge(message, path, anchor: anchor, trusting: store, at: attributes.signingTime)
        }
        _ = list.check(.detached, given: message?.contents, DetachedCheck.judge)
        _ = list.check(.messageDigest, given: attributes) { (attributes) throws(CheckFailure) in
            try MessageDigestCheck.judge(attributes.messageDigest[...], token)
        }
        // Asked once, where all before it passed. The signature alone is asked about only where this does not answer for it.
        let answer =
            list.allPassed
            ? message.map { message in Result { () throws(CheckFailure) in try message.verify(token) } } : nil
        _ = list.check(.signature, given: all(message, signer)) { (message, _) throws(CheckFailure) in
            try SignatureCheck.judge(message, answer)
        }
        _ = list.check(.message, given: list.allPassed ? answer : nil, MessageCheck.judge)
        _ = list.check(.freshness, given: attributes) { (attributes) throws(CheckFailure) in
            try FreshnessCheck.judge(attributes.signingTime, at: moment, window: freshness)
        }
        makePolicyChecks(&list, on: token, leaf: path?.leaf, applicationDataHash: applicationDataHash)
        let verification = TokenVerification(
            checks: list.checks, signingTime: attributes?.signingTime,
            certificates: message?.contents.certificates ?? [], path: path)
        return (verification, message)
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
    func makePolicyChecks(
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
