import Synchronization
import Testing

@testable import RelayServer

@Suite struct FairShareTests {
    private typealias Share = ConcurrencyLimit.Share

    private func share(_ name: String, _ weight: Int) -> Share { Share(holder: .client(name), weight: weight) }

    /// Takes places until there are none for it.
    private func fill(_ places: ConcurrencyLimit, _ shares: [Share]) -> Int {
        var count = 0
        while places.take(shares) { count += 1 }
        return count
    }

    @Test func leavesPlacesFreeUnderGreed() {
        let places = ConcurrencyLimit(limit: 512)
        #expect(fill(places, [share("a", 48)]) == 384)
        for name in ["b", "c", "d"] {
            #expect(fill(places, [share(name, 48)]) > 0)
            #expect(places.hasRoom(for: []))
        }
    }

    @Test func givesAllPlacesWithoutHolders() {
        let places = ConcurrencyLimit(limit: 1_000)
        #expect(fill(places, []) == 1_000)
        #expect(!places.hasRoom(for: []))
        places.release([])
        #expect(places.hasRoom(for: []))
    }

    @Test("S14: a holder without a place gets one while any is free")
    func givesAPlaceToAHolderWithoutOne() {
        for limit in 1...20 {
            #expect(ConcurrencyLimit(limit: limit).take([share("a", 1)]))
        }
    }

    @Test func needsRoomInEveryShare() {
        let places = ConcurrencyLimit(limit: 512)
        let (shop, phones) = (share("shop", 48), share("phones", 16))
        func phone(_ name: String) -> [Share] { [shop, phones, share(name, 1)] }
        // One phone has few; all phones of the shop have half; the rest of the shop's share is the shop's own.
        let one = fill(places, phone("1"))
        #expect((2...32).contains(one))
        var all = one
        for number in 2...600 { all += fill(places, phone("\(number)")) }
        #expect(all == 256)
        #expect(fill(places, [shop]) == 128)
        #expect(places.take([share("bank", 48)]))
    }

    @Test func forgetsHoldersWithoutPlaces() {
        let places = ConcurrencyLimit(limit: 8)
        let shares = [share("a", 48), share("b", 48)]
        for _ in 1...100 {
            #expect(places.take(shares))
            places.release(shares)
        }
        let isEmpty = places.places.withLock { $0.held.isEmpty && $0.taken == 0 }
        #expect(isEmpty)
    }
}
