/// Whether tokens of Apple's sandbox may pay.
public enum SandboxSigners: String, CaseIterable, Sendable {
    /// As production's: FORT's test environment is tried with them.
    case accepted
    /// They pay nothing, so in production nobody honest sends one.
    case refused
}
