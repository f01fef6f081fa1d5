import Testing

@testable import HTTPListener

@Suite struct ByteEvictionTests {
    private typealias Shares = ByteEviction<Int, String>

    @Test("the holder with the most bytes loses the member that was counted first")
    func endsTheOldestOfTheLargestHolder() {
        var shares = Shares(limit: 100)
        for (member, holder) in [(1, "quiet"), (2, "greedy"), (3, "greedy")] {
            #expect(shares.update(member, of: holder, bytes: 30, isEvictable: true) == [])
        }
        #expect(shares.update(4, of: "new", bytes: 30, isEvictable: true) == [2])
        #expect(shares.bytes == 90)
        #expect(shares.update(3, of: "greedy", bytes: 50, isEvictable: true) == [3])
    }

    @Test("a member that is being answered is kept, and the next holder loses one")
    func keepsMembersThatAreAnswered() {
        var shares = Shares(limit: 100)
        #expect(shares.update(1, of: "a", bytes: 90, isEvictable: false) == [])
        #expect(shares.update(2, of: "b", bytes: 20, isEvictable: true) == [2])
        shares.remove(1)
        #expect(shares.bytes == 0)
        #expect(shares.update(3, of: "b", bytes: 100, isEvictable: true) == [])
        #expect(shares.update(3, of: "b", bytes: 101, isEvictable: false) == [])
        #expect(shares.update(3, of: "b", bytes: 101, isEvictable: true) == [3])
    }

    @Test("members that come and go leave nothing behind, and the sum is theirs")
    func staysBounded() {
        var shares = Shares(limit: 1_000)
        for member in 1...10_000 {
            for victim in shares.update(member, of: "a", bytes: 100, isEvictable: true) { shares.remove(victim) }
            if member % 3 == 0 { shares.remove(member) }
        }
        #expect(shares.bytes <= 1_000)
        for member in 1...10_000 { shares.remove(member) }
        #expect(shares.bytes == 0)
        #expect(shares.update(1, of: "a", bytes: 1_001, isEvictable: true) == [1])
    }
}
