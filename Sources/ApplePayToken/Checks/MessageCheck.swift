/// The message as a whole, as OpenSSL's `CMS_verify` judges it. The checks before it explain; this one must agree.
enum MessageCheck {
    static func judge<Message: VerifiableMessage>(
        _ message: Message, _ token: PaymentToken, trusting trust: Message.Trust
    ) throws(CheckFailure) -> CheckResult<Void> {
        try message.verify(token, trusting: trust)
        return CheckResult("content, attributes, signature and chain hold together as CMS_verify asks")
    }
}
