import PayrelayPrimitives

/// The result of reading and checking a whole journal.
public struct JournalVerification: Sendable {
    public let contents: JournalContents
    /// Whether the journal is a backup that states its original contents, and was compared with them.
    public let isBackup: Bool
    /// The problems, in words; empty if there are none.
    public let findings: [String]

    /// - Parameter session: a session in a transaction that sees one state of the database.
    /// - Throws: ``UnreadableRow`` if a journal cannot have a value that is found, and the database's own errors.
    public init(of session: any TableSession, progress: (JournalProgress) -> Void = { _ in }) throws {
        var findings = try session.damage().map { "damaged: \($0)" }
        contents = try JournalContents(of: session, progress: progress)
        if let first = contents.firstUnreadable {
            findings.append("\(contents.unreadable.counting("record")) cannot be read; the first: \(first)")
        }
        for invariant in JournalInvariant.all {
            guard let reference = try invariant.violator(in: session) else { continue }
            findings.append("payment \(reference.debugDescription): \(invariant.violation)")
        }
        let recorded = try session.recordedDigest()
        isBackup = recorded != nil
        if let recorded, recorded != contents.digest {
            findings.append("its rows are not those that the backup had when it was made")
        }
        self.findings = findings
    }
}
