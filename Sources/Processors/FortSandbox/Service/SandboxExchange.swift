public import SandboxParts

/// A request to the sandbox's payment API, and what came back.
public struct SandboxExchange: Sendable {
    /// The body, as it arrived.
    public let request: [UInt8]
    public let reply: FortSandbox.Reply
}
