import PayrelayPrimitives

/// A whole journal, read and checked.
public struct JournalVerification: Sendable {
    public let contents: JournalContents
    /// Whether it says what it held when it was made as a backup, and was compared with that.
    public let isBackup: Bool
    /// What is wrong with it, in words; empty where it is in order.
    public let findings: [String]

    /// - Parameter session: in a transaction that sees one state of the database.
    /// - Throws: ``UnreadableRow`` where a value is none that a journal can have, and the database's own errors.
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
