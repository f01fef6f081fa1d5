import Testing

@testable import HTTPListener

@Suite struct RequestRateTests {
    private var rate = RequestRate<String>(perSecond: 2, clientsMax: 100)

    @Test mutating func allowsABurstOfTenSeconds() {
        var waits: [Duration?] = []
        for _ in 1...22 { waits.append(rate.count("a", at: .seconds(7))) }
        #expect(waits.prefix(20).allSatisfy { $0 == nil })
        // A refused request does not count: the second refused request waits no longer than the first.
        #expect(waits.suffix(2) == [.milliseconds(500), .milliseconds(500)])
        let (early, due) = (rate.count("a", at: .milliseconds(7_499)), rate.count("a", at: .milliseconds(7_500)))
        #expect(early == .milliseconds(1) && due == nil)
    }

    @Test mutating func limitsEachClientAlone() {
        for _ in 1...50 { _ = rate.count("a", at: .zero) }
        let wait = rate.count("b", at: .zero)
        #expect(wait == nil)
    }

    /// The limit as documented: at most twenty requests in any ten seconds, and a burst of twenty for the ten seconds before.
    @Test(arguments: 1...50) func neverExceedsTheRateAndTheBurst(step: Int) {
        var rate = RequestRate<String>(perSecond: 2)
        var passed: [Int] = []
        for moment in stride(from: 0, to: 60_000, by: step * 7) where rate.count("a", at: .milliseconds(moment)) == nil
        {
            passed.append(moment)
        }
        for (index, start) in passed.enumerated() {
            for (further, end) in passed[index...].enumerated() {
                #expect(further + 1 <= 20 + (end - start) / 500 + 1)
            }
        }
        let asked = 60_000 / (step * 7)
        #expect(passed.count >= min(asked, 20 + 60 * 2 - 1))
    }

    @Test mutating func boundsTheNumberOfClients() {
        var most = 0
        for number in 1...10_000 {
            _ = rate.count("client \(number)", at: .milliseconds(number))
            most = max(most, rate.clientCount)
        }
        #expect(most == 200)
    }

    @Test mutating func remembersAFastClientAmongNewOnes() {
        for _ in 1...20 { _ = rate.count("a", at: .zero) }
        for number in 1...99 { _ = rate.count("client \(number)", at: .zero) }
        _ = rate.count("one more", at: .zero)
        let wait = rate.count("a", at: .zero)
        #expect(wait != nil)
    }

    @Test("S14: a client whose requests are all rejected is not forgotten while other clients come")
    mutating func remembersARejectedClient() {
        for _ in 1...20 { _ = rate.count("a", at: .zero) }
        for number in 1...1_000 {
            _ = rate.count("client \(number)", at: .zero)
            if number % 50 == 0 {
                let wait = rate.count("a", at: .zero)
                #expect(wait != nil)
            }
        }
    }

    @Test("A changed rate limit counts the requests that were sent before the change")
    func theRateChanges() {
        var rate = RequestRate<Int>(perSecond: 10)
        for _ in 0..<100 { #expect(rate.count(1, at: .zero) == nil) }
        #expect(rate.count(1, at: .zero) != nil)
        rate.change(perSecond: 1)
        #expect(rate.count(1, at: .milliseconds(500)) != nil)
        #expect(rate.count(1, at: .seconds(1)) == nil)
        #expect(rate.count(1, at: .seconds(1)) != nil)
    }
}
