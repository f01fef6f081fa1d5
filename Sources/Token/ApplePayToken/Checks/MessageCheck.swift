/// The unsigned parts of the message must agree with the signed ones: the algorithms that the message lists are the signer's SHA-256, and no other (RFC 5652,
/// 5.1). `CMS_verify` digests the content by that list. All else that it asks is checked by then.
enum MessageCheck {
    static func judge(_ message: SignedMessage) throws(CheckFailure) -> CheckResult<Void> {
        guard message.digestAlgorithms.count == 1, AlgorithmIdentifier.sha256.contains(message.digestAlgorithms[0])
        else {
            throw CheckFailure("the digest algorithms that the message lists are not SHA-256 alone")
        }
        return CheckResult("content, attributes, signature and chain hold together as CMS_verify asks")
    }
}
