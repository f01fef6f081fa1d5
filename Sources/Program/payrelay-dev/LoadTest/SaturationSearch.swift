import Observability

/// Searches for the highest rate at which a step passes. It doubles the rate until a step fails, and then halves
/// the interval.
struct SaturationSearch: Sendable {
    /// A step that was measured.
    struct Measured: Sendable, Equatable {
        var rate: Double
        var passed: Bool

        init(rate: Double, passed: Bool) {
            self.rate = rate
            self.passed = passed
        }
    }

    /// The highest rate that passed; `nil` if none did.
    private(set) var best: Double?
    private(set) var measured: [Measured] = []
    private var lowestFailure: Double?
    private let first: Double
    /// The maximum number of steps.
    private let stepsMax = 24
    /// The search ends when the result is known to within this share of itself.
    private let precision = 0.05
    private let lowestRate = 1.0

    /// - Parameter rate: the rate of the first step, in requests per second.
    init(startingAt rate: Double) {
        precondition(rate > 0, "a rate is more than 0")
        first = max(rate, lowestRate)
    }

    /// The rate of the next step; `nil` if the search has ended.
    var next: Double? {
        guard measured.count < stepsMax else { return nil }
        switch (best, lowestFailure) {
        case (nil, nil): return first
        case (let best?, nil): return best * 2
        case (nil, let failure?): return failure > lowestRate ? max(lowestRate, failure / 2) : nil
        case (let best?, let failure?):
            return failure - best > best * precision ? (best + failure) / 2 : nil
        }
    }

    /// Records the result of a step.
    mutating func record(rate: Double, passed: Bool) {
        measured.append(Measured(rate: rate, passed: passed))
        if passed {
            best = max(best ?? rate, rate)
        } else {
            lowestFailure = min(lowestFailure ?? rate, rate)
        }
    }
}

extension LoadRecording {
    /// Returns whether the relay carried the rate: every payment succeeded, and the 99th percentile is within the
    /// limit.
    func carries(p99Within limit: Duration) -> Bool {
        successes == schedule.count && latency.value(atPercentile: 99) <= limit
    }
}

/// A step of the search for the highest rate.
struct SaturationStep: Sendable, Equatable {
    /// The scheduled rate in payments per second.
    var rate: Double
    /// The achieved rate in successes per second.
    var throughput: Double
    var p99: Duration
    /// The number of payments that did not succeed.
    var failures: Int
    var passed: Bool

    init(of recording: LoadRecording, passed: Bool) {
        rate = recording.schedule.rate
        throughput = recording.throughput
        p99 = recording.latency.value(atPercentile: 99)
        failures = recording.schedule.count - recording.successes
        self.passed = passed
    }
}

/// The result of the search for the highest rate.
struct Saturation: Sendable {
    /// The maximum 99th percentile of the latency with which a step passes.
    var p99Limit: Duration
    /// The steps, in the order in which they were measured.
    var steps: [SaturationStep] = []
    /// The highest rate that passed; `nil` if none did.
    var best: Double?

    init(p99Limit: Duration) {
        self.p99Limit = p99Limit
    }
}

extension SaturationStep: CustomStringConvertible {
    var description: String {
        "\(rate.text(decimals: 0))/s: p99 \(p99.text), \(throughput.text(decimals: 0)) successes/s, \(failures.text) failures: \(passed ? "carried" : "not carried")"
    }
}
