/// The message as a whole, as OpenSSL's `CMS_verify` judges it. The checks before it explain; this one must agree.
enum MessageCheck {
    /// - Parameter answer: `CMS_verify`'s.
    static func judge(_ answer: Result<Void, CheckFailure>) throws(CheckFailure) -> CheckResult<Void> {
        try answer.get()
        return CheckResult("content, attributes, signature and chain hold together as CMS_verify asks")
    }
}
