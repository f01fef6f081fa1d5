public import FoundationEssentials

/// The right to work on an open payment. Until the lease expires, only its holder works on the payment. After that,
/// any instance may take the next lease.
///
/// A journal keeps the lease in the row of the payment's query (`work`): the query is due when the lease expires. So a
/// query needs no other beginning. A claim leases the payment to the instance that charges it, and an instance that
/// records an answer which leaves the payment open ends the lease at once, so that the first query comes at once, too.
///
/// Instances compare the expiry with their own clocks. If their clocks differ by seconds, two instances may query the
/// gateway about one payment. The journal stays correct even then, because a change is written only
/// if the payment still has the version that was read.
public struct Lease: Sendable, Equatable {
    /// The number of the lease, used for fencing. The claim's lease is 0, and each further lease counts up, so that
    /// the holder of an expired lease cannot be mistaken for the present holder. The leases of two claims differ in
    /// their expiry.
    public let number: Int
    public let expiresAt: Date

    public init(number: Int, expiresAt: Date) {
        self.number = number
        self.expiresAt = expiresAt
    }
}

extension Gateways {
    /// Returns the time limit of a request to a gateway. If the gateway is not configured, it is the longest of
    /// all.
    func longestExchange(of name: String) -> Duration {
        gateway(named: name)?.longestExchange ?? all.map(\.longestExchange).max() ?? .zero
    }

    /// Returns how long only one instance may work on a payment: long enough to record and to charge it. If a
    /// payment is still open after that, its instance has stopped, and another one takes the payment over.
    ///
    /// - Parameter name: the name of the payment's gateway.
    func leaseDuration(of name: String) -> Duration {
        let exchange = longestExchange(of: name)
        // If the journal takes longer for a claim, the charge is not sent.
        let timeToRecord = min(.seconds(30), max(.seconds(5), exchange))
        return exchange + timeToRecord
    }
}
