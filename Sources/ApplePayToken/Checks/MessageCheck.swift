/// OpenSSL's own, complete verification of the message. The checks before it explain; this one must agree.
enum MessageCheck {
    static func judge(
        _ message: OpenSSLMessage, content: [UInt8], trusting store: OpenSSLStore
    ) throws(Refusal) -> Finding<Void> {
        try message.verify(content: content, trusting: store)
        return Finding("CMS_verify accepts content, attributes, signature and chain")
    }
}
