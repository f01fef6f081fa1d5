/// Who may be on the way to FORT, and who waits for a place, first come, first served. Pure.
struct ConcurrencyLimit {
    /// One request, while it is here.
    typealias Ticket = UInt64

    enum Entry: Equatable {
        case entered
        /// Until ``leave()`` of another names it, or it gives up.
        case waiting
        /// As many wait as may.
        case full
    }

    private var inside = 0
    private var queue: [Ticket] = []
    /// How many may be on the way; as many may wait.
    let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    mutating func enter(_ ticket: Ticket) -> Entry {
        if inside < limit {
            inside += 1
            return .entered
        }
        guard queue.count < limit else { return .full }
        queue.append(ticket)
        return .waiting
    }

    /// - Returns: who enters in its place.
    mutating func leave() -> Ticket? {
        if queue.isEmpty {
            inside -= 1
            return nil
        }
        return queue.removeFirst()
    }

    /// - Returns: false where it has entered meanwhile.
    mutating func giveUp(_ ticket: Ticket) -> Bool {
        guard let place = queue.firstIndex(of: ticket) else { return false }
        queue.remove(at: place)
        return true
    }
}
