/// The number of payments that a query describes, with their sums.
public struct PaymentTotals: Sendable, Equatable {
    /// The sums of the payments in one currency.
    public struct Sum: Sendable, Equatable {
        /// The alphabetic code of the currency (ISO 4217).
        public let currency: String
        public let count: Int
        /// The sum of the amounts, in minor units. It may exceed the maximum amount of one payment.
        public let amount: Int
        public let captured: Int
        public let refunded: Int

        public init(currency: String, count: Int, amount: Int, captured: Int, refunded: Int) {
            self.currency = currency
            self.count = count
            self.amount = amount
            self.captured = captured
            self.refunded = refunded
        }
    }

    /// The sums, one for each currency.
    public let sums: [Sum]
    /// How many of the newest payments were read, if there are more; `nil` if all were read.
    public let lookedAt: Int?

    public init(sums: [Sum], lookedAt: Int?) {
        self.sums = sums
        self.lookedAt = lookedAt
    }
}
