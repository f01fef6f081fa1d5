extension SandboxPKI {
    /// The one in `certs/sandbox/`, the same for everybody.
    public static let published: SandboxPKI = {
        do {
            return try SandboxPKI { publishedPEM[$0] ?? "" }
        } catch {
            // The texts are constants of this program, and a test reads them.
            preconditionFailure("the published sandbox PKI cannot be read: \(error)")
        }
    }()
}
