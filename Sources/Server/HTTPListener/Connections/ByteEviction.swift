/// Chooses the connection to close when the listener holds too many bytes for its connections. Pure.
///
/// The victim belongs to the address for which the most bytes are held. Among the connections of that address, it
/// is the one that was counted first, except that a connection whose request is being answered is never closed.
/// If the address has no such connection, the address with the next most bytes is searched.
///
/// A choice takes a bounded time, however many members there are.
struct ByteEviction<Member: Hashable & Sendable, Holder: Hashable & Sendable> {
    private struct Entry {
        let holder: Holder
        var bytes = 0
        var isEvictable = true
    }

    private struct Share {
        var bytes = 0
        var count = 0
        var line = Line<Member>()
    }

    private let limit: Int
    private var entries: [Member: Entry] = [:]
    private var shares: [Holder: Share] = [:]
    /// The bytes that are held for all members.
    private(set) var bytes = 0
    /// The number of holders that are searched for a victim, and the number of members of each holder.
    private static var searchedHolders: Int { 8 }
    private static var searchedMembers: Int { 64 }

    /// - Parameter limit: the limit for all members, in bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// Sets the number of bytes that the listener holds for a member, and returns the members to close. Those are
    /// no longer counted.
    mutating func update(_ member: Member, of holder: Holder, bytes: Int, isEvictable: Bool) -> [Member] {
        var entry = entries[member] ?? Entry(holder: holder)
        let isNew = entries[member] == nil
        change(entry.holder, by: bytes - entry.bytes, members: isNew ? 1 : 0)
        if isNew { shares[entry.holder]?.line.append(member) }
        (entry.bytes, entry.isEvictable) = (bytes, isEvictable)
        entries[member] = entry
        var victims: [Member] = []
        while self.bytes > limit, let victim = victim() {
            remove(victim)
            victims.append(victim)
        }
        return victims
    }

    mutating func remove(_ member: Member) {
        guard let entry = entries.removeValue(forKey: member) else { return }
        change(entry.holder, by: -entry.bytes, members: -1)
    }

    private mutating func victim() -> Member? {
        var searched: Set<Holder> = []
        while searched.count < Self.searchedHolders {
            let largest = shares.lazy.filter { !searched.contains($0.key) }.max { $0.value.bytes < $1.value.bytes }
            guard let holder = largest?.key else { return nil }
            if let victim = victim(of: holder) { return victim }
            searched.insert(holder)
        }
        return nil
    }

    private mutating func victim(of holder: Holder) -> Member? {
        // The share is removed from the dictionary so that changing its line does not copy the line.
        guard var share = shares.removeValue(forKey: holder) else { return nil }
        defer { shares[holder] = share }
        for _ in 0..<min(share.line.count, Self.searchedMembers) {
            guard let member = share.line.popFirst() else { break }
            guard let entry = entries[member], entry.holder == holder else { continue }
            if entry.isEvictable { return member }
            share.line.append(member)
        }
        return nil
    }

    private mutating func change(_ holder: Holder, by difference: Int, members: Int) {
        var share = shares.removeValue(forKey: holder) ?? Share()
        bytes += difference
        share.bytes += difference
        share.count += members
        // Members that have left stay in the line until they outnumber the present members.
        if share.line.count > 4 * share.count + 64 { share.line.keep { entries[$0]?.holder == holder } }
        if share.count > 0 { shares[holder] = share }
    }
}
