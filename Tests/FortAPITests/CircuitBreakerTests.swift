import Testing

@testable import FortAPI

@Suite struct CircuitBreakerTests {
    private var breaker = CircuitBreaker(failureLimit: 3, pause: .seconds(1))

    @Test mutating func opensAfterSoManyFailuresInARow() {
        for _ in 1...2 { breaker.fail(at: .seconds(10)) }
        #expect(breaker.isClosed)
        breaker.fail(at: .seconds(10))
        #expect(breaker.state == .open(probeAt: .seconds(11)))
    }

    @Test mutating func anAnswerInBetweenStartsTheCountAnew() {
        for _ in 1...10 {
            breaker.fail(at: .zero)
            breaker.fail(at: .zero)
            breaker.succeed()
        }
        #expect(breaker.isClosed)
    }

    @Test mutating func aProbeGoesOutAfterThePauseAndOnlyOneAtATime() {
        for _ in 1...3 { breaker.fail(at: .zero) }
        let moments: [Duration] = [.zero, .milliseconds(999), .seconds(1), .seconds(2), .seconds(60)]
        var probes: [Bool] = []
        for moment in moments { probes.append(breaker.beginProbe(at: moment)) }
        #expect(probes == [false, false, true, false, false])
        #expect(!breaker.isClosed)
        breaker.failProbe(at: .seconds(60))
        let early = breaker.beginProbe(at: .milliseconds(60_999))
        let due = breaker.beginProbe(at: .seconds(61))
        #expect(!early && due)
    }

    @Test mutating func noProbeGoesOutWhileItIsClosed() {
        breaker.fail(at: .zero)
        let goesOut = breaker.beginProbe(at: .seconds(100))
        #expect(!goesOut)
    }

    @Test mutating func anAnswerClosesItWhereverItStands() {
        for _ in 1...3 { breaker.fail(at: .zero) }
        breaker.succeed()
        #expect(breaker.state == .closed(failures: 0))
        for _ in 1...3 { breaker.fail(at: .zero) }
        _ = breaker.beginProbe(at: .seconds(1))
        #expect(breaker.state == .halfOpen)
        breaker.succeed()
        #expect(breaker.state == .closed(failures: 0))
    }

    /// Sixty that hang when it opens must not put the next probe off one by one.
    @Test mutating func whatFailsWhileItIsOpenChangesNothing() {
        for _ in 1...3 { breaker.fail(at: .zero) }
        for second in 1...60 { breaker.fail(at: .seconds(second)) }
        #expect(breaker.state == .open(probeAt: .seconds(1)))
        _ = breaker.beginProbe(at: .seconds(60))
        breaker.fail(at: .seconds(60))
        #expect(breaker.state == .halfOpen)
    }

    @Test mutating func aProbeThatFailsAfterAnotherAnswerDoesNotOpenItAgain() {
        for _ in 1...3 { breaker.fail(at: .zero) }
        _ = breaker.beginProbe(at: .seconds(1))
        breaker.succeed()
        breaker.failProbe(at: .seconds(2))
        #expect(breaker.isClosed)
    }
}
