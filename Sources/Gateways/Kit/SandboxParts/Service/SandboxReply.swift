/// A sandbox's reaction to a request to its gateway.
public enum SandboxReply: Sendable, Equatable {
    /// The gateway's answer, as JSON bytes.
    case answer([UInt8])
    /// The gateway's answer, sent after a delay.
    case late([UInt8], seconds: Double)
    /// Half of the answer is sent, then the connection closes.
    case half([UInt8])
    /// No answer is sent.
    case silence
    /// The connection is reset.
    case reset
    /// The status 500, with a body that is not the gateway's.
    case failure
}
