import UnderWay

extension PaymentRelay {
    /// R6: a stop lets the work under way end.
    ///
    /// Returns once no payment is under way, or the limit has passed. What is still under way then has its claim in the
    /// journal, and the process that opens the journal next takes it over.
    ///
    /// - Returns: whether all have ended.
    public func drain(within limit: Duration) async -> Bool {
        let deadline = ContinuousClock.now + limit
        while underWay.count > 0 {
            guard ContinuousClock.now < deadline else { return false }
            do { try await Task.sleep(for: .milliseconds(10)) } catch { return false }
        }
        return true
    }
}
