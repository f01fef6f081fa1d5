import Testing

@testable import HTTPListener

@Suite struct BodyEvictionTests {
    private typealias Shares = BodyEviction<Int, String>

    @Test func dropsTheOldestBodyOfTheLargestHolder() {
        var shares = Shares(limit: 100)
        for (member, holder) in [(1, "quiet"), (2, "greedy"), (3, "greedy")] {
            #expect(shares.update(member, of: holder, bytes: 30, isComing: true) == [])
        }
        #expect(shares.update(4, of: "new", bytes: 30, isComing: true) == [2])
        #expect(shares.bytes == 90)
        #expect(shares.update(3, of: "greedy", bytes: 50, isComing: true) == [3])
    }

    @Test func keepsCompleteBodies() {
        var shares = Shares(limit: 100)
        #expect(shares.update(1, of: "a", bytes: 90, isComing: false) == [])
        #expect(shares.update(2, of: "b", bytes: 20, isComing: true) == [2])
        shares.remove(1)
        #expect(shares.bytes == 0)
        #expect(shares.update(3, of: "b", bytes: 100, isComing: true) == [])
    }

    @Test func keepsBodiesThatCannotBeDropped() {
        var shares = Shares(limit: 10)
        #expect(shares.update(1, of: "a", bytes: 20, isComing: false) == [])
        #expect(shares.bytes == 20)
    }
}
