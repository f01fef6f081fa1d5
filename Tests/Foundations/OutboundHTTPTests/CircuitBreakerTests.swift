import Testing

@testable import OutboundHTTP

@Suite struct CircuitBreakerTests {
    private var breaker = CircuitBreaker(failureLimit: 3, pause: .seconds(1))

    @Test mutating func opensAtTheLimitOfFailuresInARow() {
        for _ in 1...2 { breaker.fail(at: .seconds(10), sentAt: .seconds(10)) }
        #expect(breaker.isClosed)
        breaker.fail(at: .seconds(10), sentAt: .seconds(10))
        #expect(breaker.state == .open(probeAt: .seconds(11)))
    }

    @Test mutating func anAnswerResetsTheCountOfFailures() {
        for _ in 1...10 {
            breaker.fail(at: .zero, sentAt: .zero)
            breaker.fail(at: .zero, sentAt: .zero)
            breaker.succeed(at: .zero)
        }
        #expect(breaker.isClosed)
    }

    /// R15: if FORT does not answer about one order, that says nothing about other orders.
    @Test mutating func aFailureOfARequestSentBeforeTheLastAnswerDoesNotCount() {
        breaker.succeed(at: .seconds(5))
        for _ in 1...10 { breaker.fail(at: .seconds(30), sentAt: .seconds(4)) }
        #expect(breaker.state == .closed(failures: 0))
        for _ in 1...3 { breaker.fail(at: .seconds(36), sentAt: .seconds(6)) }
        #expect(breaker.state == .open(probeAt: .seconds(37)))
    }

    @Test mutating func oneProbeAtATimeIsSentAfterThePause() {
        for _ in 1...3 { breaker.fail(at: .zero, sentAt: .zero) }
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

    @Test mutating func noProbeIsSentWhileTheBreakerIsClosed() {
        breaker.fail(at: .zero, sentAt: .zero)
        let goesOut = breaker.beginProbe(at: .seconds(100))
        #expect(!goesOut)
    }

    @Test mutating func anAnswerClosesTheBreakerInEveryState() {
        for _ in 1...3 { breaker.fail(at: .zero, sentAt: .zero) }
        breaker.succeed(at: .zero)
        #expect(breaker.state == .closed(failures: 0))
        for _ in 1...3 { breaker.fail(at: .zero, sentAt: .zero) }
        _ = breaker.beginProbe(at: .seconds(1))
        #expect(breaker.state == .halfOpen)
        breaker.succeed(at: .zero)
        #expect(breaker.state == .closed(failures: 0))
    }

    /// Sixty requests that hang when the breaker opens must not postpone the next probe one by one.
    @Test mutating func aFailureWhileTheBreakerIsOpenChangesNothing() {
        for _ in 1...3 { breaker.fail(at: .zero, sentAt: .zero) }
        for second in 1...60 { breaker.fail(at: .seconds(second), sentAt: .seconds(second)) }
        #expect(breaker.state == .open(probeAt: .seconds(1)))
        _ = breaker.beginProbe(at: .seconds(60))
        breaker.fail(at: .seconds(60), sentAt: .seconds(60))
        #expect(breaker.state == .halfOpen)
    }

    @Test mutating func aProbeThatFailsAfterAnAnswerDoesNotReopenTheBreaker() {
        for _ in 1...3 { breaker.fail(at: .zero, sentAt: .zero) }
        _ = breaker.beginProbe(at: .seconds(1))
        breaker.succeed(at: .zero)
        breaker.failProbe(at: .seconds(2))
        #expect(breaker.isClosed)
    }
}
