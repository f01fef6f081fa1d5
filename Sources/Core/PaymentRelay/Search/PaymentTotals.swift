/// How many payments a query describes, and what they are about.
public struct PaymentTotals: Sendable, Equatable {
    /// Those of one currency.
    public struct Sum: Sendable, Equatable {
        /// ISO 4217, alphabetic.
        public let currency: String
        public let count: Int
        /// In minor units, beyond what one payment can be.
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

    /// By currency.
    public let sums: [Sum]
    /// How many of the newest payments were looked at, where there are more.
    public let lookedAt: Int?

    public init(sums: [Sum], lookedAt: Int?) {
        self.sums = sums
        self.lookedAt = lookedAt
    }
}
