import Charts

/// Looks for the highest rate at which a step still passes, from the steps measured so far: doubles until one fails, then
/// halves the distance.
public struct SaturationSearch: Sendable {
    /// A step that was measured.
    public struct Measured: Sendable, Equatable {
        public var rate: Double
        public var passed: Bool

        public init(rate: Double, passed: Bool) {
            self.rate = rate
            self.passed = passed
        }
    }

    /// The highest rate that passed so far; nil where none did.
    public private(set) var best: Double?
    public private(set) var measured: [Measured] = []
    private var lowestFailure: Double?
    private let first: Double
    /// How many steps are measured at most.
    private let stepsMax = 24
    /// The search ends where the answer lies within this share of itself.
    private let precision = 0.05
    private let lowestRate = 1.0

    /// - Parameter rate: of the first step, in requests a second.
    public init(startingAt rate: Double) {
        precondition(rate > 0, "a rate is more than 0")
        first = max(rate, lowestRate)
    }

    /// The rate to measure next; nil once the answer is known as closely as it will be.
    public var next: Double? {
        guard measured.count < stepsMax else { return nil }
        switch (best, lowestFailure) {
        case (nil, nil): return first
        case (let best?, nil): return best * 2
        case (nil, let failure?): return failure > lowestRate ? max(lowestRate, failure / 2) : nil
        case (let best?, let failure?):
            return failure - best > best * precision ? (best + failure) / 2 : nil
        }
    }

    /// Takes the result of the step that was asked for.
    public mutating func record(rate: Double, passed: Bool) {
        measured.append(Measured(rate: rate, passed: passed))
        if passed {
            best = max(best ?? rate, rate)
        } else {
            lowestFailure = min(lowestFailure ?? rate, rate)
        }
    }
}

extension LoadRecording {
    /// Whether the relay carried the rate: each payment a success, and the 99th percentile within the limit.
    public func carries(p99Within limit: Duration) -> Bool {
        successes == schedule.count && latency.value(atPercentile: 99) <= limit
    }
}

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

/// Result of the search for the highest rate.
public struct Saturation: Sendable {
    /// The highest 99th percentile of latency that passes.
    public var p99Limit: Duration
    /// In the order in which they were measured.
    public var steps: [SaturationStep] = []
    /// The highest rate that passed; nil if none did.
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
