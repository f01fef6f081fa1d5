import Foundation
import PayrelayAPI
import Testing

@testable import payrelay_dev

@Suite struct SteadyStateTests {
    private let schedule = ArrivalSchedule(rate: 10, duration: .seconds(100))

    /// Measures a run whose latency and resource usage are given functions of time.
    private func drift(
        latency: (Int) -> Duration = { _ in .milliseconds(2) }, bytes: (Int) -> Int = { _ in 50 << 20 },
        descriptors: (Int) -> Int = { _ in 40 }
    ) -> [String] {
        var recording = LoadRecording(schedule)
        for number in 0..<schedule.count {
            recording.begin()
            let due = schedule.due(number)
            recording.end(number, sent: due, ended: due + latency(number / 10), .outcome(.captured))
        }
        let usage = (0..<100).map {
            ProcessUsage(
                moment: .seconds($0), residentBytes: bytes($0), descriptors: descriptors($0), cpuTime: .zero)
        }
        return SteadyState(of: recording, usage: usage).drift
    }

    @Test func aRunThatEndsWhereItBeganHasNotDrifted() {
        #expect(drift().isEmpty)
    }

    @Test func theBeginningAndASinglePeakDoNotCount() {
        #expect(drift(latency: { $0 < 10 ? .milliseconds(90) : .milliseconds($0 == 95 ? 50 : 2) }).isEmpty)
        #expect(drift(bytes: { $0 == 95 ? 900 << 20 : 50 << 20 }).isEmpty)
    }

    @Test func growingMemoryIsReported() {
        #expect(drift(bytes: { (50 + $0) << 20 }) == ["memory went from 65.0 MiB to 145.0 MiB"])
    }

    @Test func leakingDescriptorsAreReported() {
        #expect(drift(descriptors: { 40 + $0 }) == ["open descriptors went from 55 to 120"])
    }

    /// The connections come from an answer that was late shortly before the end: an open-loop load opens connections meanwhile,
    /// and keeps them for a while.
    @Test func connectionsOfTheLastMomentsAreNoLeak() {
        #expect(drift(descriptors: { $0 < 88 ? 40 : 300 }).isEmpty)
    }

    @Test func growingLatencyIsReported() {
        #expect(drift(latency: { .milliseconds(1 + $0) }).count == 1)
    }

    @Test func aProcessThatCouldNotBeMeasuredIsNotSteady() {
        #expect(SteadyState(of: LoadRecording(schedule), usage: []).drift.count == 1)
    }

    @Test func theUsageOfThisVeryProcessIsRead() throws {
        let usage = try #require(ProcessUsage(of: getpid(), at: .zero))
        #expect(usage.residentBytes > 1 << 20)
        #expect(usage.descriptors > 2)
        #expect(usage.cpuTime > .zero)
        #expect(ProcessUsage(of: 0, at: .zero) == nil)
    }
}
