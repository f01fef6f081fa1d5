/// Which of the connections of a listener is closed when there are too many: one of the address that has the
/// most. Pure.
///
/// Of the members of that address, this one is closed:
///
/// 1. one that has not read its response for some time: whoever opens more responses than it reads must not push newcomers out;
/// 2. the oldest that never had a request answered, if its address has at least half as many members as the largest;
/// 3. an idle one, or one that does not read its response;
/// 4. one whose request is still coming in.
///
/// A member that is being answered is never closed.
///
/// A look-up costs little, however many members there are: they stand in queues, and the addresses in sets by their counts.
struct ConnectionEviction<Member: Hashable & Sendable, Holder: Hashable & Sendable> {
    enum Standing: UInt8 {
        case idle, receiving, answering
        /// A response is being sent, and the client does not read it.
        case unread
    }

    /// The state of a member at the moment of the choice.
    struct Look {
        var standing: Standing
        /// Whether it had a request since it was last looked at.
        var wasUsed = false
    }

    private struct Share {
        var count = 0
        /// Those that never had a request, the oldest first; then those that had.
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
    /// Those with so many members each.
    private var holders: [Int: Set<Holder>] = [:]
    private var most = 0
    private var leaving = 0
    /// How far it is looked for a victim, in holders and in the members of each.
    private static var searchedHolders: Int { 8 }
    private static var searchedMembers: Int { 64 }

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { homes.count }

    /// Whether there are too many, without those that are about to go.
    var isOverLimit: Bool { count - leaving > limit }

    /// - Parameter holder: nil for one that stands for many, such as a proxy: its members are closed last.
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

    /// The member has had a request.
    mutating func markServed(_ member: Member) {
        guard let home = homes[member], !home.isServed else { return }
        homes[member]?.isServed = true
        shares[home.holder]?.served.append(member)
    }

    /// The victim has begun to be answered before it could be closed.
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
    ///   - isStalled: returns whether the member has not read its response for some time.
    ///   - look: returns the state of a member. Called once for each member that is considered.
    mutating func takeVictim(isStalled: (Member) -> Bool, _ look: (Member) -> Look) -> Member? {
        if let victim = takeVictim(of: holders[most]?.first, isStalled, look) { return victim }
        // Holders differ in their numbers in few ways: those add up to the number of all members.
        var searched = 0
        for count in holders.keys.sorted(by: >) {
            for holder in holders[count] ?? [] {
                if let victim = takeVictim(of: holder, isStalled, look) { return victim }
                searched += 1
                if searched == Self.searchedHolders { return takeVictim(of: nil, isStalled, look) }
            }
        }
        return takeVictim(of: nil, isStalled, look)
    }

    private mutating func takeVictim(
        of holder: Holder?, _ isStalled: (Member) -> Bool, _ look: (Member) -> Look
    ) -> Member? {
        // Taken out, so that its lines are not copied when they change.
        guard var share = shares.removeValue(forKey: holder) else { return nil }
        // An address with many connections, all being answered, must not push out the newcomers of an address with few.
        let isLarge = share.count * 2 >= most
        let victim =
            searchStalled(&share.served, isStalled)
            ?? (isLarge ? search(&share.fresh, isServed: false, look) : nil)
            ?? search(&share.served, isServed: true, look)
        shares[holder] = share
        guard let victim else { return nil }
        homes[victim]?.isLeaving = true
        leaving += 1
        return victim
    }

    private mutating func searchStalled(_ served: inout Line<Member>, _ isStalled: (Member) -> Bool) -> Member? {
        for _ in 0..<min(served.count, Self.searchedMembers) {
            guard let member = served.popFirst() else { break }
            guard let home = homes[member], !home.isLeaving else { continue }
            if isStalled(member) { return member }
            served.append(member)
        }
        return nil
    }

    private mutating func search(_ line: inout Line<Member>, isServed: Bool, _ look: (Member) -> Look) -> Member? {
        var second: Member?
        for _ in 0..<min(line.count, Self.searchedMembers) {
            guard let member = line.popFirst() else { break }
            guard let home = homes[member], home.isServed == isServed, !home.isLeaving else { continue }
            let seen = look(member)
            // The oldest without a response is first in line.
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
        // Members that left are dropped once they outnumber the others.
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
