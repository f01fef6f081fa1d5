import Synchronization

/// In which order the hosts of a URL are tried: the one that was connected to comes first, and one that then did not answer comes last.
/// Shared by all connections to a journal.
final class HostOrder: Sendable {
    private let count: Int
    private let first = Atomic(0)

    /// - Parameter count: of hosts, at least one.
    init(count: Int) {
        self.count = count
    }

    /// The hosts by their places in the URL.
    var hosts: [Int] {
        let first = first.load(ordering: .relaxed)
        return (0..<count).map { ($0 + first) % count }
    }

    /// Begins with this host from now on.
    func didConnect(to host: Int) {
        first.store(host, ordering: .relaxed)
    }

    /// Begins with the next host, where this one was the first.
    func didNotAnswer(_ host: Int) {
        _ = first.compareExchange(expected: host, desired: (host + 1) % count, ordering: .relaxed)
    }
}
