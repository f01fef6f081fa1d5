/// A step of the search for the highest rate.
public struct SaturationStep: Sendable, Equatable {
    /// Payments a second that were asked for.
    public var rate: Double
    /// Successes a second that came.
    public var throughput: Double
    public var p99: Duration
    /// How many payments were no success.
    public var failures: Int
    public var passed: Bool

    init(of recording: LoadRecording, passed: Bool) {
        rate = recording.schedule.rate
        throughput = recording.throughput
        p99 = recording.latency.value(atPercentile: 99)
        failures = recording.schedule.count - recording.successes
        self.passed = passed
    }
}

/// What the search for the highest rate found.
public struct Saturation: Sendable {
    /// The 99th percentile may be as long.
    public var p99Limit: Duration
    /// In the order in which they were measured.
    public var steps: [SaturationStep] = []
    /// The highest rate that passed; nil where none did.
    public var best: Double?

    init(p99Limit: Duration) {
        self.p99Limit = p99Limit
    }
}

extension SaturationStep: CustomStringConvertible {
    public var description: String {
        "\(rate.text(decimals: 0))/s: p99 \(p99.text), \(throughput.text(decimals: 0)) successes/s, \(failures.text) failures: \(passed ? "carried" : "not carried")"
    }
}
