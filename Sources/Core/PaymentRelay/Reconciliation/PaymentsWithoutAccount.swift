/// An open payment whose account was taken out of the configuration stays open: no processor can be asked about it.
extension PaymentRelay {
    /// Of the payments that have been open longest, how many are of each account that is not configured
    /// (``Payment/qualifiedAccount``).
    public func openPaymentsWithoutAccount() async throws(JournalError) -> [(account: String, payments: Int)] {
        var counts: [String: Int] = [:]
        for payment in try await journal.openPayments(limit: 1_000) where !processors.knowAccount(of: payment) {
            counts[payment.qualifiedAccount, default: 0] += 1
        }
        return counts.sorted { $0.key < $1.key }.map { (account: $0.key, payments: $0.value) }
    }
}

extension Processors {
    /// Whether the account that charged a payment is configured. A payment that names none is the first account's.
    public func knowAccount(of payment: Payment) -> Bool {
        payment.account == nil ? processor(named: payment.processor) != nil : account(of: payment) != nil
    }
}

extension Payment {
    /// The account that charged it, behind its processor's name and a space.
    public var qualifiedAccount: String { account.map { "\(processor) \($0)" } ?? processor }
}
