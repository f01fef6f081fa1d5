import Testing

@testable import HTTPListener

@Suite struct FairShareTests {
    private typealias Share = FairShare<String>.Share

    /// Takes places until there are none for it.
    private func fill(_ places: inout FairShare<String>, _ shares: [Share]) -> Int {
        var count = 0
        while places.take(shares) { count += 1 }
        return count
    }

    @Test func leavesPlacesFreeUnderGreed() {
        var places = FairShare<String>(limit: 512)
        #expect(fill(&places, [Share(holder: "a", weight: 48)]) == 384)
        for name in ["b", "c", "d"] {
            #expect(fill(&places, [Share(holder: name, weight: 48)]) > 0)
            #expect(places.taken < 512)
        }
    }

    @Test func givesAllPlacesWithoutHolders() {
        var places = FairShare<String>(limit: 1_000)
        #expect(fill(&places, []) == 1_000)
        #expect(!places.hasRoom(for: []))
        places.release([])
        #expect(places.hasRoom(for: []))
    }

    @Test("S14: a holder without a place gets one while any is free")
    func givesAPlaceToAHolderWithoutOne() {
        for limit in 1...20 {
            var places = FairShare<String>(limit: limit)
            #expect(places.take([Share(holder: "a", weight: 1)]) == true)
        }
    }

    @Test func needsRoomInEveryShare() {
        var places = FairShare<String>(limit: 512)
        let (shop, phones) = (Share(holder: "shop", weight: 48), Share(holder: "phones", weight: 16))
        func phone(_ name: String) -> [Share] { [shop, phones, Share(holder: name, weight: 1)] }
        // One phone has few; all phones of the shop have half; the rest of the shop's share is the shop's own.
        let one = fill(&places, phone("1"))
        #expect((2...32).contains(one))
        var all = one
        for number in 2...600 { all += fill(&places, phone("\(number)")) }
        #expect(all == 256)
        #expect(fill(&places, [shop]) == 128)
        #expect(places.take([Share(holder: "bank", weight: 48)]) == true)
    }

    @Test func forgetsHoldersWithoutPlaces() {
        var places = FairShare<String>(limit: 8)
        let shares = [Share(holder: "a", weight: 48), Share(holder: "b", weight: 48)]
        for _ in 1...100 {
            #expect(places.take(shares) == true)
            places.release(shares)
        }
        #expect(places.held.isEmpty && places.taken == 0)
    }
}
