public import PaymentRelay

/// One promise of every journal, with the check that tests a new, empty journal for it.
public struct JournalPromise: Sendable, CustomStringConvertible {
    public let description: String
    public let check: @Sendable (any Journal) async throws -> Void

    init(_ description: String, check: @escaping @Sendable (any Journal) async throws -> Void) {
        self.description = description
        self.check = check
    }

    /// The promises that make up the contract.
    public static let all: [JournalPromise] = groups.flatMap { $0 }

    // The groups are not joined with `+`, for which the type checker takes seconds.
    private static let groups: [[JournalPromise]] = [
        claims, transitions, leases, operations, retention, events, madeElsewhere, repeats, durability, values,
        agreement, ledger, search, changes, certificateUse, sources, questions, deliveries, hints,
    ]
}
