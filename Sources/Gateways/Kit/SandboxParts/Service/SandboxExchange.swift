/// A request to a sandbox's gateway, and the reply.
public struct SandboxExchange: Sendable {
    /// The body as it arrived. It may contain a password.
    public let request: [UInt8]
    public let reply: SandboxReply

    package init(request: [UInt8], reply: SandboxReply) {
        self.request = request
        self.reply = reply
    }
}
