import Testing

@testable import payrelay_dev

@Suite struct SaturationSearchTests {
    /// Runs the search to its end, for a relay that carries rates up to a limit.
    private func search(from first: Double, limit: Double) -> SaturationSearch {
        var search = SaturationSearch(startingAt: first)
        while let rate = search.next { search.record(rate: rate, passed: rate <= limit) }
        return search
    }

    @Test(arguments: [1.0, 100, 5_000], [7.0, 99, 100, 1_234, 40_000])
    func theRateThatIsFoundPassedAndLiesWithinATwentiethOfTheLimit(first: Double, limit: Double) throws {
        let search = search(from: first, limit: limit)
        let best = try #require(search.best)
        #expect(best <= limit && best >= limit * 0.95)
        #expect(search.measured.contains(.init(rate: best, passed: true)))
        #expect(search.measured.count <= 24)
    }

    @Test func aRelayThatCarriesNothingEndsTheSearch() {
        let search = search(from: 64, limit: 0)
        #expect(search.best == nil)
        #expect(search.measured.count == 7)
    }

    @Test func aRelayThatCarriesEverythingEndsItToo() {
        let search = search(from: 1, limit: .infinity)
        #expect(search.measured.count == 24)
        #expect(search.best == 8_388_608)
    }
}
