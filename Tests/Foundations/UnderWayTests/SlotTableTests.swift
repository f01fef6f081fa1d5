import Testing

@testable import UnderWay

@Suite struct SlotTableTests {
    private var limit = SlotTable<String, Int>(limit: 2, waitersAtMost: (inAll: 2, ofOne: 2))

    @Test mutating func admitsUpToTheLimitAndQueuesAsManyMore() {
        var entries: [SlotTable<String, Int>.Entry] = []
        for ticket in 1...6 { entries.append(limit.enter(ticket)) }
        #expect(entries == [.entered, .entered, .waiting(ticket: 3), .waiting(ticket: 4), .full, .full])
    }

    @Test mutating func waitersEnterFirstComeFirstServed() {
        for ticket in 1...4 { _ = limit.enter(ticket) }
        var called: [Int?] = []
        for _ in 1...4 { called.append(limit.leave()) }
        #expect(called == [3, 4, nil, nil])
        let next = limit.enter(5)
        #expect(next == .entered)
    }

    @Test mutating func aWaiterThatGivesUpLeavesTheQueue() {
        for ticket in 1...4 { _ = limit.enter(ticket) }
        let givenUp = limit.giveUp(3)
        let next = limit.enter(5)
        let called = [limit.leave(), limit.leave()]
        #expect(givenUp == 3 && next == .waiting(ticket: 5) && called == [4, 5])
    }

    @Test mutating func oneHolderLeavesRoomToWaitForOthers() {
        var slots = SlotTable<String, Int>(limit: 1, waitersAtMost: (inAll: 3, ofOne: 2))
        let entries = ["a", "a", "a", "a", "b", nil].enumerated().map { slots.enter($0.offset, as: $0.element) }
        #expect(entries == [.entered, .waiting(ticket: 2), .waiting(ticket: 3), .full, .waiting(ticket: 5), .full])
    }

    @Test mutating func anEnteredRequestCannotGiveUp() {
        for ticket in 1...3 { _ = limit.enter(ticket) }
        _ = limit.leave()
        let givenUp = [limit.giveUp(3), limit.giveUp(1)]
        #expect(givenUp == [nil, nil])
    }

    /// In any order of events, the limit is never exceeded and no waiter is forgotten.
    @Test(arguments: 1...200 as ClosedRange<UInt64>) func neverExceedsTheLimitAndLosesNoWaiter(seed: UInt64) {
        var random = seed &* 0x9E37_79B9_7F4A_7C15
        func next(_ bound: Int) -> Int {
            random ^= random << 13
            random ^= random >> 7
            random ^= random << 17
            return Int(random % UInt64(bound))
        }
        var limit = SlotTable<String, UInt64>(limit: 3, waitersAtMost: (inAll: 3, ofOne: 3))
        var inside: Set<UInt64> = []
        var waiting: [UInt64] = []
        var last: UInt64 = 0
        for _ in 1...100 {
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
                let ticket = waiting.remove(at: next(waiting.count))
                let givenUp = limit.giveUp(ticket)
                #expect(givenUp == ticket)
            default:
                last += 1
                switch limit.enter(last) {
                case .entered: inside.insert(last)
                case .waiting(let ticket): waiting.append(ticket)
                case .full: #expect(waiting.count == 3)
                }
            }
            #expect(inside.count <= 3 && waiting.count <= 3)
            #expect(waiting.isEmpty || inside.count == 3)
        }
    }

    @Test("A lowered limit admits no waiter until enough slots are free; a raised limit admits waiters at once")
    mutating func theLimitChanges() {
        for ticket in 1...4 { _ = limit.enter(ticket) }
        let whenLowered = limit.change(limit: 1)
        let afterOneLeft = limit.leave()
        let afterBothLeft = limit.leave()
        let whenRaised = limit.change(limit: 2)
        #expect(whenLowered == [] && afterOneLeft == nil && afterBothLeft == 3 && whenRaised == [4])
        let called = [limit.leave(), limit.leave()]
        let next = [limit.enter(5), limit.enter(6), limit.enter(7)]
        #expect(called == [nil, nil] && next == [.entered, .entered, .waiting(ticket: 7)])
    }
}
