/// The table of a limited number of slots: how many slots each holder has, and which tasks wait for one. Waiting
/// is first come, first served. Pure.
struct SlotTable<Holder: Hashable & Sendable, Waiter> {
    typealias Share = Slots<Holder>.Share

    enum Entry: Equatable {
        case entered
        /// The waiter must wait until ``leave(_:)`` returns it, or until it gives up by its ticket.
        case waiting(ticket: UInt64)
        /// The maximum number of waiters is reached, in total or for this holder.
        case full
    }

    private(set) var limit: Int
    /// The maximum number of waiters, in total and for one holder.
    let waitersAtMost: (inAll: Int, ofOne: Int)
    private(set) var taken = 0
    private(set) var held: [Holder: Int] = [:]
    private var lastTicket: UInt64 = 0
    private var queue: [(ticket: UInt64, holder: Holder?, waiter: Waiter)] = []

    init(limit: Int, waitersAtMost: (inAll: Int, ofOne: Int) = (0, 0)) {
        self.limit = limit
        self.waitersAtMost = waitersAtMost
    }

    func hasRoom(for shares: [Share]) -> Bool {
        let free = limit - taken
        return free > 0
            && shares.allSatisfy { share in
                let own = held[share.holder] ?? 0
                return switch share.limit {
                case .atMost(let limit): own < limit
                case .sixteenthsOfFree(let weight): own * 16 < free * weight
                }
            }
    }

    /// Takes a slot if one is free for these holders.
    ///
    /// - Returns: whether a slot was taken.
    mutating func take(_ shares: [Share] = []) -> Bool {
        guard hasRoom(for: shares) else { return false }
        taken += 1
        for share in shares { held[share.holder, default: 0] += 1 }
        return true
    }

    mutating func enter(_ waiter: Waiter, as holder: Holder? = nil) -> Entry {
        lastTicket += 1
        if take() { return .entered }
        let own = queue.count { $0.holder == holder }
        guard queue.count < waitersAtMost.inAll, own < waitersAtMost.ofOne else { return .full }
        queue.append((lastTicket, holder, waiter))
        return .waiting(ticket: lastTicket)
    }

    /// Frees a slot, or passes it to the first waiter.
    ///
    /// - Parameter shares: the shares with which the slot was taken.
    /// - Returns: the waiter that gets the slot, if any.
    mutating func leave(_ shares: [Share] = []) -> Waiter? {
        for share in shares {
            let count = (held[share.holder] ?? 1) - 1
            held[share.holder] = count > 0 ? count : nil
        }
        if queue.isEmpty || taken > limit {
            taken -= 1
            return nil
        }
        return queue.removeFirst().waiter
    }

    /// Changes the limit. Slots that are taken stay taken, even if there are more of them than the new limit.
    ///
    /// - Returns: the waiters that get a slot.
    mutating func change(limit: Int) -> [Waiter] {
        self.limit = limit
        let entering = queue.prefix(max(0, limit - taken)).map(\.waiter)
        queue.removeFirst(entering.count)
        taken += entering.count
        return entering
    }

    /// Removes a waiter that has waited too long.
    ///
    /// - Returns: the waiter; `nil` if it has entered in the meantime.
    mutating func giveUp(_ ticket: UInt64) -> Waiter? {
        queue.firstIndex { $0.ticket == ticket }.map { queue.remove(at: $0).waiter }
    }
}
