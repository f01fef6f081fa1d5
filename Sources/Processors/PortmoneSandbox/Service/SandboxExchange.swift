public import SandboxParts

/// A request to the sandbox's gateway, and what came back.
public struct SandboxExchange: Sendable {
    public let path: GatewayPath
    /// The body, as it arrived. It has the password.
    public let request: [UInt8]
    public let reply: SandboxReply
}
