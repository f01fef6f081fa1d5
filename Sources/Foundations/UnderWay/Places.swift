/// Who has one of a limited number of places, and who waits for one, first come, first served. Pure.
struct Places<Waiter> {
    enum Entry: Equatable {
        case entered
        /// Until ``leave()`` of another returns it, or it gives up by its ticket.
        case waiting(ticket: UInt64)
        /// As many wait as may, or as many of the same asker.
        case full
    }

    /// How many may have a place.
    private(set) var limit: Int
    /// How many may wait, in all and of one asker.
    let waitersAtMost: (inAll: Int, ofOne: Int)
    private var taken = 0
    private var lastTicket: UInt64 = 0
    private var queue: [(ticket: UInt64, asker: String?, waiter: Waiter)] = []

    init(limit: Int, waitersAtMost: (inAll: Int, ofOne: Int)) {
        self.limit = limit
        self.waitersAtMost = waitersAtMost
    }

    mutating func enter(_ waiter: Waiter, as asker: String? = nil) -> Entry {
        lastTicket += 1
        if taken < limit {
            taken += 1
            return .entered
        }
        let own = queue.count { $0.asker == asker }
        guard queue.count < waitersAtMost.inAll, own < waitersAtMost.ofOne else { return .full }
        queue.append((lastTicket, asker, waiter))
        return .waiting(ticket: lastTicket)
    }

    /// - Returns: the one that enters in its place.
    mutating func leave() -> Waiter? {
        if queue.isEmpty || taken > limit {
            taken -= 1
            return nil
        }
        return queue.removeFirst().waiter
    }

    /// Those that have a place keep it, though they be more than may have one from now on.
    ///
    /// - Returns: those that enter.
    mutating func change(limit: Int) -> [Waiter] {
        self.limit = limit
        let entering = queue.prefix(max(0, limit - taken)).map(\.waiter)
        queue.removeFirst(entering.count)
        taken += entering.count
        return entering
    }

    /// - Returns: nil where it has entered meanwhile.
    mutating func giveUp(_ ticket: UInt64) -> Waiter? {
        queue.firstIndex { $0.ticket == ticket }.map { queue.remove(at: $0).waiter }
    }
}
