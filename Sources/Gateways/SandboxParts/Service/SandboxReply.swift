/// Reaction of a sandbox to a request to its gateway.
public enum SandboxReply: Sendable, Equatable {
    /// The gateway's answer, as JSON bytes.
    case answer([UInt8])
    /// The same, so many seconds later.
    case late([UInt8], seconds: Double)
    /// Half of an answer of these bytes; then the connection closes.
    case half([UInt8])
    /// It never answers.
    case silence
    /// The connection is reset.
    case reset
    /// The status 500, with a body that is not the gateway's.
    case failure
}
