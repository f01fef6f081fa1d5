/// Which connection is ended when connections make the listener hold too many bytes: of the address that holds the most, the one that was
/// counted first and is not being answered. Pure.
///
/// A look-up costs little, however many members there are.
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
    /// The sum for all members.
    private(set) var bytes = 0
    /// How many holders, and members of each, are looked at for a victim.
    private static var searchedHolders: Int { 8 }
    private static var searchedMembers: Int { 64 }

    /// - Parameter limit: in bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// Counts how many bytes are held for a member by now.
    ///
    /// - Returns: the members to end; they count no longer.
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
        // Taken out, so that its line is not copied when it changes.
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
        // Members that left are dropped once they outnumber the others.
        if share.line.count > 4 * share.count + 64 { share.line.keep { entries[$0]?.holder == holder } }
        if share.count > 0 { shares[holder] = share }
    }
}
