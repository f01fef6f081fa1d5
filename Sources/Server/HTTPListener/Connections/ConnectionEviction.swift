/// Chooses the connection to close when a listener has too many connections. Pure.
///
/// The victim belongs to the address that has the most connections. Among the members of that address, the first
/// that exists is chosen:
///
/// 1. a member that has not read its response for some time: a client that opens more responses than it reads
///    must not push out newcomers;
/// 2. the oldest member that has never had a request answered and is not new, if its address has at least half as
///    many members as the largest address;
/// 3. a member that had a request answered and has been idle for some time;
/// 4. the oldest new member, under the condition of the second rule. A new member's request may be on its way;
/// 5. a member that had a request answered and is idle, or that does not read its response; after these, one whose
///    next request is still being received.
///
/// A member whose request is being answered is never closed. If an address has no member to close, the address
/// with the next most members is searched; members without a holder come last.
///
/// A choice takes a bounded time, however many members there are: members wait in queues, and addresses are kept
/// in sets by their number of members.
struct ConnectionEviction<Member: Hashable & Sendable, Holder: Hashable & Sendable> {
    enum Standing: UInt8 {
        case idle, receiving, answering
        /// A response is being sent, and the client is not reading it.
        case unread
    }

    /// The state of a member at the moment of the choice.
    struct Look {
        var standing: Standing
        /// Whether the member had a request since the last look.
        var wasUsed = false
    }

    /// A member's phase, by the time for which its state has lasted.
    enum Phase {
        /// The member was added a moment ago.
        case new
        /// The member has not read its response for some time.
        case stalled
        /// The member has been idle for some time.
        case resting
        case other
    }

    private struct Share {
        var count = 0
        /// The members that have never had a request answered, the oldest first. ``served`` has the others.
        var fresh = Line<Member>()
        var served = Line<Member>()
    }

    private struct Home {
        let holder: Holder?
        var isServed = false
        var isLeaving = false
    }

    private let limit: Int
    private var homes: [Member: Home] = [:]
    private var shares: [Holder?: Share] = [:]
    /// The holders by their number of members.
    private var holders: [Int: Set<Holder>] = [:]
    private var most = 0
    private var leaving = 0
    /// The number of holders that are searched for a victim, and the number of members of each holder.
    private static var searchedHolders: Int { 8 }
    private static var searchedMembers: Int { 64 }

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { homes.count }

    /// Whether there are too many members, not counting those that are about to be closed.
    var isOverLimit: Bool { count - leaving > limit }

    /// Adds a member.
    ///
    /// - Parameter holder: `nil` for a member that serves many clients, such as a trusted proxy's connection.
    ///   Those members are closed last.
    mutating func add(_ member: Member, of holder: Holder?) {
        homes[member] = Home(holder: holder)
        shares[holder, default: Share()].fresh.append(member)
        change(holder, by: 1)
    }

    mutating func remove(_ member: Member) {
        guard let home = homes.removeValue(forKey: member) else { return }
        if home.isLeaving { leaving -= 1 }
        change(home.holder, by: -1)
    }

    /// Records that a request of the member was answered.
    mutating func markServed(_ member: Member) {
        guard let home = homes[member], !home.isServed else { return }
        homes[member]?.isServed = true
        shares[home.holder]?.served.append(member)
    }

    /// Keeps a chosen victim whose request began to be answered before the connection could be closed.
    mutating func spare(_ member: Member) {
        guard let home = homes[member], home.isLeaving else { return }
        leaving -= 1
        homes[member]?.isLeaving = false
        homes[member]?.isServed = true
        shares[home.holder]?.served.append(member)
    }

    /// Returns the member to close, which counts as gone from now on; `nil` if none can be closed.
    ///
    /// - Parameters:
    ///   - phase: returns the phase of a member.
    ///   - look: returns the state of a member. Called once for each member that is considered.
    mutating func takeVictim(phase: (Member) -> Phase, _ look: (Member) -> Look) -> Member? {
        if let victim = takeVictim(of: holders[most]?.first, phase, look) { return victim }
        // There are few distinct counts: with k of them, there are at least k(k+1)/2 members.
        var searched = 0
        for count in holders.keys.sorted(by: >) {
            for holder in holders[count] ?? [] {
                if let victim = takeVictim(of: holder, phase, look) { return victim }
                searched += 1
                if searched == Self.searchedHolders { return takeVictim(of: nil, phase, look) }
            }
        }
        return takeVictim(of: nil, phase, look)
    }

    private mutating func takeVictim(
        of holder: Holder?, _ phase: (Member) -> Phase, _ look: (Member) -> Look
    ) -> Member? {
        // The share is removed from the dictionary so that changing its lines does not copy them.
        guard var share = shares.removeValue(forKey: holder) else { return nil }
        // An address with many connections, all of them being answered, must not push out the newcomers of an
        // address with few.
        let isLarge = share.count * 2 >= most
        let victim =
            searchServed(&share.served) { phase($0) == .stalled }
            ?? (isLarge ? search(&share.fresh, isServed: false, until: { phase($0) == .new }, look) : nil)
            ?? searchServed(&share.served) { phase($0) == .resting }
            ?? (isLarge ? search(&share.fresh, isServed: false, until: { _ in false }, look) : nil)
            ?? search(&share.served, isServed: true, until: { _ in false }, look)
        shares[holder] = share
        guard let victim else { return nil }
        homes[victim]?.isLeaving = true
        leaving += 1
        return victim
    }

    private mutating func searchServed(_ served: inout Line<Member>, _ isVictim: (Member) -> Bool) -> Member? {
        for _ in 0..<min(served.count, Self.searchedMembers) {
            guard let member = served.popFirst() else { break }
            guard let home = homes[member], !home.isLeaving else { continue }
            if isVictim(member) { return member }
            served.append(member)
        }
        return nil
    }

    /// Searches a line from its beginning to the first member for which `isPast` returns true.
    private mutating func search(
        _ line: inout Line<Member>, isServed: Bool, until isPast: (Member) -> Bool, _ look: (Member) -> Look
    ) -> Member? {
        var second: Member?
        for _ in 0..<min(line.count, Self.searchedMembers) {
            guard let first = line.first, !isPast(first), let member = line.popFirst() else { break }
            guard let home = homes[member], home.isServed == isServed, !home.isLeaving else { continue }
            let seen = look(member)
            // The line begins with the oldest member.
            if seen.standing == .idle && !seen.wasUsed || seen.standing == .unread { return member }
            if seen.standing == .receiving, !isServed { return member }
            line.append(member)
            if seen.standing == .receiving, second == nil { second = member }
        }
        return second
    }

    private mutating func change(_ holder: Holder?, by difference: Int) {
        guard var share = shares.removeValue(forKey: holder) else { return }
        let before = share.count
        share.count += difference
        // Members that have left stay in the lines until they outnumber the present members.
        if share.fresh.count + share.served.count > 4 * share.count + 64 {
            share.fresh.keep { [homes] in homes[$0].map { !$0.isServed } ?? false }
            share.served.keep { [homes] in homes[$0]?.isServed ?? false }
        }
        if share.count > 0 { shares[holder] = share }
        guard let holder else { return }
        holders[before]?.remove(holder)
        if holders[before]?.isEmpty == true { holders[before] = nil }
        if share.count > 0 { holders[share.count, default: []].insert(holder) }
        most = max(most, share.count)
        while most > 0, holders[most] == nil { most -= 1 }
    }
}
