/// Checks that the unsigned list of digest algorithms agrees with the signer: it must contain SHA-256 and nothing
/// else (RFC 5652, 5.1). OpenSSL's `CMS_verify` digests the content with the algorithms of this list. Everything
/// else that `CMS_verify` requires is covered by the earlier checks.
enum MessageCheck {
    static func judge(_ message: SignedMessage) throws(CheckFailure) -> CheckResult<Void> {
        guard message.digestAlgorithms.count == 1, AlgorithmIdentifier.sha256.contains(message.digestAlgorithms[0])
        else {
            throw CheckFailure("the digest algorithms that the message lists are not only SHA-256")
        }
        return CheckResult("content, attributes, signature and chain hold together as CMS_verify asks")
    }
}
