/// First in, first out. A member that left stays in line until it is met, or until too many have left.
struct Line<Member> {
    private var members: [Member] = []
    private var start = 0

    var count: Int { members.count - start }

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
