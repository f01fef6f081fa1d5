/// A first-in, first-out queue. The owner leaves members that are gone in the queue, skips them when they are
/// popped, and removes them with ``keep(where:)`` when there are too many.
struct Line<Member> {
    private var members: [Member] = []
    private var start = 0

    var count: Int { members.count - start }

    var first: Member? { start < members.count ? members[start] : nil }

    mutating func append(_ member: Member) { members.append(member) }

    mutating func popFirst() -> Member? {
        guard start < members.count else { return nil }
        defer { start += 1 }
        if start > 64, start * 2 > members.count {
            members.removeFirst(start)
            start = 0
        }
        return members[start]
    }

    mutating func keep(where isInLine: (Member) -> Bool) {
        members = members[start...].filter(isInLine)
        start = 0
    }
}
