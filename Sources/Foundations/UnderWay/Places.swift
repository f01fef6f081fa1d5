/// Who has one of a limited number of places, and who waits for one, first come, first served. Pure.
struct Places {
    /// One that asks for a place, while it is here.
    typealias Ticket = UInt64

    enum Entry: Equatable {
        case entered
        /// Until ``leave()`` of another names it, or it gives up.
        case waiting
        /// As many wait as may, or as many of the same asker.
        case full
    }

    /// How many may have a place.
    private(set) var limit: Int
    /// How many may wait, in all and of one asker.
    let waitersAtMost: (inAll: Int, ofOne: Int)
    private var taken = 0
    private var queue: [(ticket: Ticket, asker: String?)] = []

    init(limit: Int, waitersAtMost: (inAll: Int, ofOne: Int)) {
        self.limit = limit
        self.waitersAtMost = waitersAtMost
    }

    mutating func enter(_ ticket: Ticket, as asker: String? = nil) -> Entry {
        if taken < limit {
            taken += 1
            return .entered
        }
        let own = queue.count { $0.asker == asker }
        guard queue.count < waitersAtMost.inAll, own < waitersAtMost.ofOne else { return .full }
        queue.append((ticket, asker))
        return .waiting
    }

    /// - Returns: the one that enters in its place.
    mutating func leave() -> Ticket? {
        if queue.isEmpty || taken > limit {
            taken -= 1
            return nil
        }
        return queue.removeFirst().ticket
    }

    /// Those that have a place keep it, though they be more than may have one from now on.
    ///
    /// - Returns: those that enter.
    mutating func change(limit: Int) -> [Ticket] {
        self.limit = limit
        let entering = queue.prefix(max(0, limit - taken)).map(\.ticket)
        queue.removeFirst(entering.count)
        taken += entering.count
        return entering
    }

    /// - Returns: false where it has entered meanwhile.
    mutating func giveUp(_ ticket: Ticket) -> Bool {
        guard let place = queue.firstIndex(where: { $0.ticket == ticket }) else { return false }
        queue.remove(at: place)
        return true
    }
}
