import Synchronization

/// The order in which the hosts of a URL are tried, shared by all connections to a journal. The host that was
/// connected last comes first. If that host then does not answer, it comes last.
final class HostOrder: Sendable {
    private let count: Int
    private let first = Atomic(0)

    /// - Parameter count: the number of hosts, at least one.
    init(count: Int) {
        self.count = count
    }

    /// The hosts, as their places in the URL, in the order to try them.
    var hosts: [Int] {
        let first = first.load(ordering: .relaxed)
        return (0..<count).map { ($0 + first) % count }
    }

    /// Makes this host the first from now on.
    func didConnect(to host: Int) {
        first.store(host, ordering: .relaxed)
    }

    /// Makes the next host the first, if this one was the first.
    func didNotAnswer(_ host: Int) {
        _ = first.compareExchange(expected: host, desired: (host + 1) % count, ordering: .relaxed)
    }
}
