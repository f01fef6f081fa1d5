public import PaymentRelay

/// One thing that every journal promises, with the check that holds a new, empty journal against it.
public struct JournalPromise: Sendable, CustomStringConvertible {
    public let description: String
    public let check: @Sendable (any Journal) async throws -> Void

    init(_ description: String, check: @escaping @Sendable (any Journal) async throws -> Void) {
        self.description = description
        self.check = check
    }

    /// The contract.
    public static let all: [JournalPromise] = groups.flatMap { $0 }

    // Not a chain of `+`, which takes the type checker seconds.
    private static let groups: [[JournalPromise]] = [
        claims, transitions, leases, operations, retention, events, madeElsewhere, repeats, durability, values,
        agreement, ledger, search, changes, certificateUse, sources, questions, deliveries, hints,
    ]
}
