/// Charged, refunded and voided sums of a period.
public struct Settlement: Sendable, Equatable {
    /// The number of movements, and the sum of their amounts in minor units.
    public struct Sum: Sendable, Equatable {
        public var count: Int
        /// The sum. It may exceed the maximum amount of one payment.
        public var amount: Int

        public init(count: Int = 0, amount: Int = 0) {
            self.count = count
            self.amount = amount
        }
    }

    /// The sums for one account and one currency.
    public struct Total: Sendable, Equatable {
        /// The account's name (``Payment/account``).
        public let account: String?
        /// ISO 4217, alphabetic.
        public let currency: String
        public var charged = Sum()
        public var refunded = Sum()
        public var voided = Sum()

        public init(account: String?, currency: String) {
            self.account = account
            self.currency = currency
        }
    }

    /// The sums, ordered by account, then by currency.
    public let totals: [Total]
    /// How many records cannot be read and are left out. For each kind, one of them is reported to the journal's
    /// observer.
    public let unreadableRecords: Int
}

/// A row of the journals' query: the movements of one kind, one account and one currency, not yet validated.
public struct SettlementRow: Sendable {
    public var account: String?
    public var currency: String
    public var kind: Int
    /// The number and the sum of the records that can be read.
    public var count: Int
    public var amount: Int
    /// The number of records that cannot be read, and the reference of one of them.
    public var unreadable: Int
    public var unreadableReference: String?

    public init(
        account: String?, currency: String, kind: Int, count: Int, amount: Int, unreadable: Int,
        unreadableReference: String?
    ) {
        self.account = account
        self.currency = currency
        self.kind = kind
        self.count = count
        self.amount = amount
        self.unreadable = unreadable
        self.unreadableReference = unreadableReference
    }

    /// The maximum number of rows, more than any merchant needs, so that the result of a database is bounded, too.
    public static let limit = 10_000
}

extension Settlement {
    /// Creates the settlement from the rows of a journal.
    ///
    /// - Parameter observe: called for records that cannot be read.
    /// - Throws: ``UnreadableRecord`` if there are more rows than ``SettlementRow/limit``.
    public init(
        _ rows: some Collection<SettlementRow>, observe: UnreadableRecordObserver
    ) throws(UnreadableRecord) {
        guard rows.count <= SettlementRow.limit else {
            throw UnreadableRecord(merchantReference: "", column: "movement")
        }
        var totals: [Key: Total] = [:]
        var unreadable = 0
        for row in rows {
            if row.unreadable > 0 {
                unreadable = unreadable.addingReportingOverflow(row.unreadable).partialValue
                observe(UnreadableRecord(merchantReference: row.unreadableReference ?? "", column: "movement"))
            }
            guard row.count > 0, row.amount > 0, let kind = Movement.Kind(rawValue: row.kind),
                row.currency.isCurrencyCode
            else { continue }
            let sum = Sum(count: row.count, amount: row.amount)
            var total =
                totals[Key(account: row.account, currency: row.currency)]
                ?? Total(account: row.account, currency: row.currency)
            switch kind {
            case .charged: total.charged = sum
            case .refunded: total.refunded = sum
            case .voided: total.voided = sum
            }
            totals[Key(account: row.account, currency: row.currency)] = total
        }
        self.init(
            totals: totals.values.sorted { ($0.account ?? "", $0.currency) < ($1.account ?? "", $1.currency) },
            unreadableRecords: unreadable)
    }

    private struct Key: Hashable {
        let account: String?
        let currency: String
    }
}
