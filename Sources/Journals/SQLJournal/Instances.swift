public import FoundationEssentials
public import PaymentRelay

extension SQLJournal: InstanceRegister {
    public func note(_ instance: String, at moment: Date) async throws(JournalError) {
        _ = try await write(
            .noteInstance, .noteInstance,
            [.text(instance), .moment(moment), .moment(moment - 86_400), .moment(moment + 86_400)])
    }

    public func forget(_ instance: String) async throws(JournalError) {
        _ = try await write(.noteInstance, .forgetInstance, [.text(instance)])
    }

    public func alive(at moment: Date) async throws(JournalError) -> Int {
        let row = try await read(
            .noteInstance, .countInstances, [.moment(moment - 15), .moment(moment + 15)]
        ).first
        return try reading { () throws(UnreadableRecord) in try row?.count("instances") ?? 0 }
    }
}

extension Statement {
    fileprivate static let noteInstance = Statement(
        "note_instance", isRepeatable: true, isGuarded: false,
        """
        INSERT INTO instance (name, seen_at) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at
        """, ["DELETE FROM instance WHERE seen_at NOT BETWEEN $3 AND $4"])

    fileprivate static let forgetInstance = Statement(
        "forget_instance", isRepeatable: true, "DELETE FROM instance WHERE name = $1")

    fileprivate static let countInstances = Statement(
        "count_instances", isRepeatable: true,
        "SELECT count(*) AS instances FROM instance WHERE seen_at BETWEEN $1 AND $2")
}
