import PayrelayAPI
import Testing

@testable import payrelay_dev

@Suite struct LoadRecordingTests {
    @Test func latencyCountsFromWhenAPaymentWasDueAndIncludesTheGeneratorsDelay() {
        var recording = LoadRecording(ArrivalSchedule(rate: 10, duration: .seconds(1)))
        recording.begin()
        // The payment was due after half a second, sent two seconds later, and answered within a tenth of a second.
        recording.end(5, sent: .milliseconds(2_500), ended: .milliseconds(2_600), .outcome(.captured))
        #expect(recording.latency.longest == .milliseconds(2_100))
        #expect(recording.lateness.longest == .milliseconds(2_000))
        #expect(recording.timeline.pieces[5].latency.count == 1)
        #expect(recording.timeline.pieces[26].ended == 1)
    }

    @Test func aPaymentLeftOutHasNoLatencyAndIsNotASuccess() {
        var recording = LoadRecording(ArrivalSchedule(rate: 10, duration: .seconds(1)))
        recording.leaveOut(0)
        #expect(recording.latency.count == 0)
        #expect(recording.leftOut == 1 && recording.ended == 1 && recording.successes == 0)
        #expect(recording.verdicts[0] == .leftOut && recording.verdicts[1] == nil)
    }
}
