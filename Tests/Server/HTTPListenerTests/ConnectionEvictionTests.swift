import Testing

@testable import HTTPListener

@Suite struct ConnectionEvictionTests {
    private typealias Shares = ConnectionEviction<Int, String>

    private func victim(
        _ shares: inout Shares, answering: Set<Int> = [], receiving: Set<Int> = [], used: Set<Int> = [],
        stalled: Set<Int> = [], resting: Set<Int> = [], new: Set<Int> = []
    ) -> Int? {
        shares.takeVictim(phase: {
            stalled.contains($0) ? .stalled : resting.contains($0) ? .resting : new.contains($0) ? .new : .other
        }) {
            .init(
                standing: answering.contains($0) ? .answering : receiving.contains($0) ? .receiving : .idle,
                wasUsed: used.contains($0))
        }
    }

    @Test func closesTheOldestOfTheAddressWithTheMost() {
        var shares = Shares(limit: 5)
        for member in 1...5 { shares.add(member, of: member == 3 ? "quiet" : "greedy") }
        #expect(!shares.isOverLimit)
        shares.add(6, of: "new")
        #expect(shares.isOverLimit)
        #expect(victim(&shares) == 1)
        // The first connection is about to close, so no other has to.
        #expect(!shares.isOverLimit)
        shares.remove(1)
        #expect(!shares.isOverLimit && shares.count == 5)
        #expect([victim(&shares), victim(&shares)] == [2, 4])
    }

    /// A half-sent request does not protect a connection. Otherwise all clients would send half a request.
    @Test func closesTheOldestThatNeverHadAResponse() {
        var shares = Shares(limit: 1)
        for member in 1...4 { shares.add(member, of: "a") }
        #expect(victim(&shares, answering: [1], receiving: [2, 4]) == 2)
        #expect(victim(&shares, answering: [1], receiving: [4]) == 3)
    }

    @Test func closesIdleBeforeReceivingAndNeverAnswering() {
        var shares = Shares(limit: 1)
        for member in 1...4 { shares.add(member, of: "a") }
        for member in 1...4 { shares.markServed(member) }
        #expect(victim(&shares, answering: [1], receiving: [2]) == 3)
        #expect(victim(&shares, answering: [1, 4], receiving: [2]) == 2)
        #expect(victim(&shares, answering: [1, 4]) == nil)
        // If the address with the most connections has no idle one, another address's idle connection is closed.
        shares.add(5, of: "b")
        shares.markServed(5)
        #expect(victim(&shares, answering: [1, 4]) == 5)
    }

    @Test func closesUnusedConnectionsFirst() {
        var shares = Shares(limit: 1)
        for member in 1...3 { shares.add(member, of: "a") }
        shares.markServed(1)
        #expect(victim(&shares) == 2)
        #expect(victim(&shares) == 3)
        // The connection was used recently: it is closed only when it is met again.
        #expect(victim(&shares, used: [1]) == nil)
        #expect(victim(&shares) == 1)
    }

    @Test func canCloseASparedConnectionLater() {
        var shares = Shares(limit: 1)
        for member in 1...2 { shares.add(member, of: "a") }
        #expect(victim(&shares) == 1)
        shares.spare(1)
        #expect(shares.isOverLimit)
        #expect(victim(&shares, answering: [1]) == 2)
        shares.remove(2)
        #expect(victim(&shares) == 1)
    }

    /// A client that requests much and reads nothing must not keep its connection safe from others who need the slot.
    @Test func treatsAnUnreadResponseAsIdle() {
        var shares = Shares(limit: 1)
        for member in 1...2 { shares.add(member, of: "a") }
        let seen = shares.takeVictim(phase: { _ in .other }) {
            .init(standing: $0 == 1 ? .answering : .unread, wasUsed: true)
        }
        #expect(seen == 2)
    }

    @Test("S14: a connection that has not read its answer for some time is closed before one that is new")
    func closesAStalledConnectionBeforeANewOne() {
        var shares = Shares(limit: 1)
        for member in 1...4 { shares.add(member, of: "a") }
        for member in 1...3 { shares.markServed(member) }
        #expect(victim(&shares, answering: [1, 2, 3], stalled: [2]) == 2)
        #expect(victim(&shares, answering: [1, 3]) == 4)
    }

    @Test("S14: a connection that has rested is closed before one that was accepted a moment ago")
    func closesAnIdleConnectionBeforeANewOne() {
        var shares = Shares(limit: 1)
        for member in 1...6 { shares.add(member, of: "a") }
        for member in [1, 6] { shares.markServed(member) }
        // The order is: an old connection without a request, one that has rested, the oldest new one. The connection that had a
        // request a moment ago is the last.
        #expect(victim(&shares, resting: [1], new: [3, 4, 5]) == 2)
        #expect(victim(&shares, resting: [1], new: [3, 4, 5]) == 1)
        #expect(victim(&shares, resting: [1], new: [3, 4, 5]) == 3)
        #expect([victim(&shares, new: [4, 5]), victim(&shares, new: [5]), victim(&shares)] == [4, 5, 6])
    }

    @Test func keepsTheNewcomerOfASmallAddress() {
        var shares = Shares(limit: 1)
        for member in 1...9 { shares.add(member, of: "greedy") }
        shares.add(10, of: "few")
        shares.add(11, of: nil)
        let busy = Set(1...9)
        #expect(victim(&shares, answering: busy) == nil)
        // A connection that had its answer and does nothing may be closed.
        shares.markServed(10)
        #expect(victim(&shares, answering: busy) == 10)
    }

    @Test func closesConnectionsOfProxiesLast() {
        var shares = Shares(limit: 1)
        for member in 1...10 { shares.add(member, of: nil) }
        shares.add(11, of: "a")
        #expect(victim(&shares) == 11)
        #expect(victim(&shares) == 1)
    }

    @Test func staysBoundedWhileConnectionsComeAndGo() {
        var shares = Shares(limit: 10)
        for member in 1...10 { shares.add(member, of: "a") }
        for member in 11...10_000 {
            shares.add(member, of: "a")
            if let gone = victim(&shares) { shares.remove(gone) }
        }
        #expect(shares.count == 10)
        for member in 10_001...20_000 {
            shares.add(member, of: "b\(member)")
            shares.markServed(member)
            shares.remove(member)
        }
        #expect(shares.count == 10)
        #expect(victim(&shares) == 9_991)
    }
}
