import UnderWay

extension PaymentRelay {
    /// R6: lets the work under way end before the process stops.
    ///
    /// Returns once no payment is under way, or the limit has passed. A payment that is still under way then has
    /// its claim in the journal, and the next process that opens the journal takes the payment over.
    ///
    /// - Returns: whether all payments have ended.
    public func drain(within limit: Duration) async -> Bool {
        let deadline = ContinuousClock.now + limit
        while underWay.count > 0 {
            guard ContinuousClock.now < deadline else { return false }
            do { try await Task.sleep(for: .milliseconds(10)) } catch { return false }
        }
        return true
    }
}
