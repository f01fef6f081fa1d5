/// Checks that the message is detached. Apple signs the token's fields, which are outside of the message. The
/// signature of a message that contains content could be valid for that content instead.
enum DetachedCheck {
    static func judge(_ message: SignedMessage) throws(CheckFailure) -> CheckResult<Void> {
        guard !message.hasContent else { throw CheckFailure("the message carries content of its own") }
        return CheckResult("the content is the token's own fields")
    }
}
