/// Something that was done otherwise than FORT does it when a signature was computed.
public struct SignatureMistake: Hashable, Sendable {
    /// A short name that does not change: `phrase-missing-at-end`.
    public let name: String
    /// What was done, and how FORT does it.
    public let explanation: String
    /// Where in this message, if that is to be said: the names of parameters, never their values.
    public let detail: String?

    init(_ name: String, _ explanation: String, detail: String? = nil) {
        self.name = name
        self.explanation = explanation
        self.detail = detail
    }
}
