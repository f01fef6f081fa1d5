import struct FoundationEssentials.Date

/// OpenSSL's own, complete verification of the message. The checks before it explain; this one must agree.
enum MessageCheck {
    static func judge(
        _ message: OpenSSLMessage, content: [UInt8], anchor: TrustAnchor, at signingTime: Date
    ) throws(Refusal) -> Finding<Void> {
        try message.verify(content: content, trusting: OpenSSLStore(anchor: anchor, at: signingTime))
        return Finding("CMS_verify accepts content, attributes, signature and chain")
    }
}
