import Synchronization
import Testing

@testable import UnderWay

@Suite struct FairShareTests {
    private typealias Table = SlotTable<String, Never>

    private func share(_ name: String, _ weight: Int) -> Table.Share {
        .init(holder: name, limit: .sixteenthsOfFree(weight))
    }

    /// Takes slots until the table refuses, and returns the number of slots.
    private func fill(_ slots: inout Table, _ shares: [Table.Share]) -> Int {
        var count = 0
        while slots.take(shares) { count += 1 }
        return count
    }

    @Test func leavesSlotsFreeUnderGreed() {
        var slots = Table(limit: 512)
        let first = fill(&slots, [share("a", 48)])
        #expect(first == 384)
        for name in ["b", "c", "d"] {
            let more = fill(&slots, [share(name, 48)])
            #expect(more > 0 && slots.hasRoom(for: []))
        }
    }

    @Test func givesAllSlotsWithoutHolders() {
        var slots = Table(limit: 1_000)
        let all = fill(&slots, [])
        #expect(all == 1_000 && !slots.hasRoom(for: []))
        _ = slots.leave()
        #expect(slots.hasRoom(for: []))
    }

    @Test("S14: a holder without a slot gets one while any slot is free")
    func givesAPlaceToAHolderWithoutOne() {
        for limit in 1...20 {
            #expect(Slots<String>(limit: limit).take([share("a", 1)]) != nil)
        }
    }

    @Test func needsRoomInEveryShare() {
        var slots = Table(limit: 512)
        let (shop, phones) = (share("shop", 48), share("phones", 16))
        func phone(_ name: String) -> [Table.Share] { [shop, phones, share(name, 1)] }
        // One phone gets a few slots, and all phones of the shop together get half. The shop itself can use the remaining part
        // of its share.
        let one = fill(&slots, phone("1"))
        #expect((2...32).contains(one))
        var all = one
        for number in 2...600 { all += fill(&slots, phone("\(number)")) }
        #expect(all == 256)
        let shops = fill(&slots, [shop])
        let isBankServed = slots.take([share("bank", 48)])
        #expect(shops == 128 && isBankServed)
    }

    @Test func forgetsHoldersWithoutSlots() {
        var slots = Table(limit: 8)
        let shares = [share("a", 48), share("b", 48)]
        for _ in 1...100 {
            let isTaken = slots.take(shares)
            #expect(isTaken)
            _ = slots.leave(shares)
        }
        #expect(slots.held.isEmpty && slots.taken == 0)
    }

    @Test("a holder with a limit of its own leaves slots to others, and gets another once it gives one back")
    func aHolderHasALimit() {
        var slots = Table(limit: 3)
        let own = [Table.Share(holder: "a", limit: .atMost(2))]
        let taken = [slots.take(own), slots.take(own), slots.take(own)]
        #expect(taken == [true, true, false] && slots.hasRoom(for: []))
        _ = slots.leave(own)
        let again = slots.take(own)
        #expect(again)
    }

    @Test("a slot is free again with its last reference")
    func aSlotIsFreedWithItsLastReference() {
        let slots = Slots<String>(limit: 1)
        var slot = slots.take()
        #expect(slot != nil && slots.take() == nil)
        slot = nil
        #expect(slots.take() != nil)
    }
}
