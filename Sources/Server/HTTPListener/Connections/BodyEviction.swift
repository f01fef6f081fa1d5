/// Which request body is dropped when bodies take too much memory: the oldest that is still arriving, of the address that holds
/// the most. Counts the bytes of bodies of requests that have no response yet. Pure.
struct BodyEviction<Member: Hashable & Sendable, Holder: Hashable & Sendable> {
    private struct Body {
        let holder: Holder
        let number: Int
        var bytes = 0
        var isComing = true
    }

    private let limit: Int
    private var bodies: [Member: Body] = [:]
    private var held: [Holder: Int] = [:]
    private(set) var bytes = 0
    private var counted = 0

    /// - Parameter limit: in bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// Notes how many bytes a body has by now.
    ///
    /// - Parameter isComing: whether more of it is to come.
    /// - Returns: the members to refuse; none of them counts any more.
    mutating func update(_ member: Member, of holder: Holder, bytes: Int, isComing: Bool) -> [Member] {
        var body = bodies[member] ?? Body(holder: holder, number: counted)
        counted += 1
        add(bytes - body.bytes, to: body.holder)
        body.bytes = bytes
        body.isComing = isComing
        bodies[member] = body
        var victims: [Member] = []
        while self.bytes > limit, let victim = victim() {
            remove(victim)
            victims.append(victim)
        }
        return victims
    }

    mutating func remove(_ member: Member) {
        guard let body = bodies.removeValue(forKey: member) else { return }
        add(-body.bytes, to: body.holder)
    }

    private func victim() -> Member? {
        // A complete body is not dropped.
        let coming = bodies.filter { $0.value.isComing }
        let holder = Set(coming.values.map(\.holder)).max { (held[$0] ?? 0) < (held[$1] ?? 0) }
        return coming.filter { $0.value.holder == holder }.min { $0.value.number < $1.value.number }?.key
    }

    private mutating func add(_ difference: Int, to holder: Holder) {
        bytes += difference
        let sum = (held[holder] ?? 0) + difference
        held[holder] = sum > 0 ? sum : nil
    }
}
