/// Apple's message is detached: what is signed is the token's fields. A message with content of its own could be
/// valid over that instead.
enum DetachedCheck {
    static func judge(_ message: SignedMessage) throws(CheckFailure) -> CheckResult<Void> {
        guard !message.hasContent else { throw CheckFailure("the message carries content of its own") }
        return CheckResult("the content is the token's own fields")
    }
}
