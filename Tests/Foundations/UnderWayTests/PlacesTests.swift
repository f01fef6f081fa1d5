import Testing

@testable import UnderWay

@Suite struct PlacesTests {
    private var limit = Places(limit: 2, waitersAtMost: (inAll: 2, ofOne: 2))

    @Test mutating func admitsUpToTheLimitAndQueuesAsManyMore() {
        var entries: [Places.Entry] = []
        for ticket in 1...6 { entries.append(limit.enter(Places.Ticket(ticket))) }
        #expect(entries == [.entered, .entered, .waiting, .waiting, .full, .full])
    }

    @Test mutating func waitersEnterFirstComeFirstServed() {
        for ticket in 1...4 { _ = limit.enter(Places.Ticket(ticket)) }
        var called: [Places.Ticket?] = []
        for _ in 1...4 { called.append(limit.leave()) }
        #expect(called == [3, 4, nil, nil])
        let next = limit.enter(5)
        #expect(next == .entered)
    }

    @Test mutating func aWaiterThatGivesUpFreesItsPlaceInTheQueue() {
        for ticket in 1...4 { _ = limit.enter(Places.Ticket(ticket)) }
        let hasGivenUp = limit.giveUp(3)
        let next = limit.enter(5)
        let called = [limit.leave(), limit.leave()]
        #expect(hasGivenUp && next == .waiting && called == [4, 5])
    }

    @Test mutating func oneAskerLeavesRoomToWaitForOthers() {
        var places = Places(limit: 1, waitersAtMost: (inAll: 3, ofOne: 2))
        let entries = ["a", "a", "a", "a", "b", nil].enumerated().map {
            places.enter(UInt64($0.offset), as: $0.element)
        }
        #expect(entries == [.entered, .waiting, .waiting, .full, .waiting, .full])
    }

    @Test mutating func anEnteredRequestCannotGiveUp() {
        for ticket in 1...3 { _ = limit.enter(Places.Ticket(ticket)) }
        _ = limit.leave()
        let couldGiveUp = [limit.giveUp(3), limit.giveUp(1)]
        #expect(couldGiveUp == [false, false])
    }

    /// Whatever comes in whatever order: never more inside than may be, and none is forgotten.
    @Test(arguments: 1...200 as ClosedRange<UInt64>) func neverExceedsTheLimitAndLosesNoWaiter(seed: UInt64) {
        var random = seed &* 0x9E37_79B9_7F4A_7C15
        func next(_ bound: Int) -> Int {
            random ^= random << 13
            random ^= random >> 7
            random ^= random << 17
            return Int(random % UInt64(bound))
        }
        var limit = Places(limit: 3, waitersAtMost: (inAll: 3, ofOne: 3))
        var inside: Set<Places.Ticket> = []
        var waiting: [Places.Ticket] = []
        for ticket in 1...100 as ClosedRange<Places.Ticket> {
            switch next(3) {
            case 0 where !inside.isEmpty:
                inside.removeFirst()
                let called = limit.leave()
                #expect(called == waiting.first)
                if let called {
                    waiting.removeFirst()
                    inside.insert(called)
                }
            case 1 where !waiting.isEmpty:
                let couldGiveUp = limit.giveUp(waiting.remove(at: next(waiting.count)))
                #expect(couldGiveUp)
            default:
                switch limit.enter(ticket) {
                case .entered: inside.insert(ticket)
                case .waiting: waiting.append(ticket)
                case .full: #expect(waiting.count == 3)
                }
            }
            #expect(inside.count <= 3 && waiting.count <= 3)
            #expect(waiting.isEmpty || inside.count == 3)
        }
    }

    @Test("A lower limit lets nobody enter until enough have left; a higher one lets waiters enter at once")
    mutating func theLimitChanges() {
        for ticket in 1...4 { _ = limit.enter(Places.Ticket(ticket)) }
        let whenLowered = limit.change(limit: 1)
        let afterOneLeft = limit.leave()
        let afterBothLeft = limit.leave()
        let whenRaised = limit.change(limit: 2)
        #expect(whenLowered == [] && afterOneLeft == nil && afterBothLeft == 3 && whenRaised == [4])
        let called = [limit.leave(), limit.leave()]
        let next = [limit.enter(5), limit.enter(6), limit.enter(7)]
        #expect(called == [nil, nil] && next == [.entered, .entered, .waiting])
    }
}
