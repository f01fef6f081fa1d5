import Testing

@testable import FortAPI

@Suite struct BulkheadTests {
    private var bulkhead = Bulkhead(limit: 2)

    @Test mutating func letsInAsManyAsMayAndQueuesAsManyMore() {
        var entries: [Bulkhead.Entry] = []
        for ticket in 1...6 { entries.append(bulkhead.enter(Bulkhead.Ticket(ticket))) }
        #expect(entries == [.entered, .entered, .waiting, .waiting, .full, .full])
    }

    @Test mutating func whoCameFirstEntersFirst() {
        for ticket in 1...4 { _ = bulkhead.enter(Bulkhead.Ticket(ticket)) }
        var called: [Bulkhead.Ticket?] = []
        for _ in 1...4 { called.append(bulkhead.leave()) }
        #expect(called == [3, 4, nil, nil])
        let next = bulkhead.enter(5)
        #expect(next == .entered)
    }

    @Test mutating func whoGivesUpMakesRoomInTheQueueAndIsNotCalled() {
        for ticket in 1...4 { _ = bulkhead.enter(Bulkhead.Ticket(ticket)) }
        let hasGivenUp = bulkhead.giveUp(3)
        let next = bulkhead.enter(5)
        let called = [bulkhead.leave(), bulkhead.leave()]
        #expect(hasGivenUp && next == .waiting && called == [4, 5])
    }

    @Test mutating func whoHasEnteredCannotGiveUp() {
        for ticket in 1...3 { _ = bulkhead.enter(Bulkhead.Ticket(ticket)) }
        _ = bulkhead.leave()
        let couldGiveUp = [bulkhead.giveUp(3), bulkhead.giveUp(1)]
        #expect(couldGiveUp == [false, false])
    }

    /// Whatever comes in whatever order: never more inside than may be, and none is forgotten.
    @Test(arguments: 1...200 as ClosedRange<UInt64>) func neverLetsInMoreThanMayBeAndForgetsNobody(seed: UInt64) {
        var random = seed &* 0x9E37_79B9_7F4A_7C15
        func next(_ bound: Int) -> Int {
            random ^= random << 13
            random ^= random >> 7
            random ^= random << 17
            return Int(random % UInt64(bound))
        }
        var bulkhead = Bulkhead(limit: 3)
        var inside: Set<Bulkhead.Ticket> = []
        var waiting: [Bulkhead.Ticket] = []
        for ticket in 1...100 as ClosedRange<Bulkhead.Ticket> {
            switch next(3) {
            case 0 where !inside.isEmpty:
                inside.removeFirst()
                let called = bulkhead.leave()
                #expect(called == waiting.first)
                if let called {
                    waiting.removeFirst()
                    inside.insert(called)
                }
            case 1 where !waiting.isEmpty:
                let couldGiveUp = bulkhead.giveUp(waiting.remove(at: next(waiting.count)))
                #expect(couldGiveUp)
            default:
                switch bulkhead.enter(ticket) {
                case .entered: inside.insert(ticket)
                case .waiting: waiting.append(ticket)
                case .full: #expect(waiting.count == 3)
                }
            }
            #expect(inside.count <= 3 && waiting.count <= 3)
            #expect(waiting.isEmpty || inside.count == 3)
        }
    }
}
