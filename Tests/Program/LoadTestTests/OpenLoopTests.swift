import Testing

@testable import payrelay_dev

@Suite struct OpenLoopTests {
    @Test func asManyLeaveAsTheRateAndTheDurationSayAndEachAtItsTime() {
        let schedule = ArrivalSchedule(rate: 3, duration: .seconds(100))
        #expect(schedule.count == 300)
        #expect(schedule.due(0) == .zero)
        #expect(schedule.due(299) == .nanoseconds(99_666_666_667))
        #expect(schedule.end == .seconds(100))
        #expect((1..<300).allSatisfy { schedule.due($0 - 1) < schedule.due($0) })
    }

    @Test func nothingLeavesBeforeItIsDueAndNothingWaitsForAnAnswer() {
        var loop = OpenLoop(ArrivalSchedule(rate: 10, duration: .milliseconds(300)), inFlightLimit: 100)
        #expect(loop.step(at: .zero, inFlight: 0) == .send(0))
        #expect(loop.step(at: .zero, inFlight: 1) == .wait(until: .milliseconds(100)))
        #expect(loop.step(at: .milliseconds(99), inFlight: 1) == .wait(until: .milliseconds(100)))
        #expect(loop.step(at: .milliseconds(100), inFlight: 1) == .send(1))
        #expect(loop.step(at: .milliseconds(200), inFlight: 2) == .send(2))
        #expect(loop.step(at: .milliseconds(200), inFlight: 3) == .done)
    }

    @Test func aGeneratorThatFellBehindSendsAllThatIsDueAtOnceAndSkipsNothing() {
        var loop = OpenLoop(ArrivalSchedule(rate: 1_000, duration: .seconds(1)), inFlightLimit: 10_000)
        let burst = (0..<501).map { loop.step(at: .milliseconds(500), inFlight: $0) }
        #expect(burst == (0..<501).map { .send($0) })
        #expect(loop.step(at: .milliseconds(500), inFlight: 501) == .wait(until: .milliseconds(501)))
    }

    @Test func aRequestDueBeyondTheLimitInFlightIsLeftOut() {
        var loop = OpenLoop(ArrivalSchedule(rate: 10, duration: .seconds(1)), inFlightLimit: 2)
        let steps = (0..<4).map { loop.step(at: .milliseconds(300), inFlight: min($0, 2)) }
        #expect(steps == [.send(0), .send(1), .leaveOut(2), .leaveOut(3)])
        #expect(loop.step(at: .milliseconds(400), inFlight: 1) == .send(4))
    }

    @Test(arguments: [1, 7.5, 333, 5_000]) func whateverTheMomentsEachRequestHasItsTurnOnceAndInOrder(rate: Double) {
        let schedule = ArrivalSchedule(rate: rate, duration: .seconds(4))
        var loop = OpenLoop(schedule, inFlightLimit: 3)
        var turns: [Int] = []
        var now = Duration.zero
        while true {
            switch loop.step(at: now, inFlight: Int.random(in: 0...4)) {
            case .send(let number), .leaveOut(let number):
                #expect(schedule.due(number) <= now)
                turns.append(number)
            case .wait(let moment):
                #expect(moment > now)
                now = moment + .microseconds(Int.random(in: 0...100_000))
            case .done:
                #expect(turns == Array(0..<schedule.count))
                return
            }
        }
    }
}
