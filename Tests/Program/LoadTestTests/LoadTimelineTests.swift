import Testing

@testable import payrelay_dev

@Suite struct LoadTimelineTests {
    @Test(arguments: [0.5, 2, 30, 600, 86_400]) func aScheduleFitsIntoSoManyPiecesThatAPictureCanShow(seconds: Double) {
        let duration = Duration.seconds(seconds)
        let step = LoadTimeline(over: duration).step
        #expect(duration / step <= 120 && step >= .milliseconds(100))
    }

    @Test func aRunThatTakesMuchLongerThanItsScheduleLosesNothing() {
        var timeline = LoadTimeline(over: .seconds(10))
        let step = timeline.step
        for number in 0..<1_000 {
            let latency: Duration? = number.isMultiple(of: 10) ? nil : .milliseconds(100 * number)
            timeline.record(due: .milliseconds(10 * number), latency: latency, isSuccess: latency != nil)
        }
        // The last payment ended after 110 seconds.
        #expect(timeline.step == step * 8)
        #expect(timeline.pieces.count <= 240)
        #expect(timeline.pieces.map(\.due).reduce(0, +) == 1_000)
        #expect(timeline.pieces.map(\.failed).reduce(0, +) == 100)
        #expect(timeline.pieces.map(\.ended).reduce(0, +) == 900)
        #expect(timeline.pieces.map(\.latency.count).reduce(0, +) == 900)
        // The first of the coarser pieces has the payments that were due in the first 0.8 seconds.
        #expect(timeline.pieces[0].due == 80)
    }
}
