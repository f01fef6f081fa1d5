import Histogram
import Observability

/// Durations in an HDR histogram, which has a constant size and records each duration with an error of at most a
/// thousandth, from a microsecond to an hour.
struct LatencyHistogram: Sendable {
    private var histogram: Histogram<UInt32>
    private static let microsecondsMax: UInt64 = 3_600_000_000

    /// - Parameter isCoarse: whether the error may be a hundredth, for a fiftieth of the memory.
    init(isCoarse: Bool = false) {
        histogram = Histogram(
            highestTrackableValue: Self.microsecondsMax, numberOfSignificantValueDigits: isCoarse ? .two : .three)
    }

    mutating func record(_ duration: Duration) {
        histogram.record(min(UInt64(max(0, duration.wholeMicroseconds)), Self.microsecondsMax))
    }

    mutating func add(_ other: LatencyHistogram) {
        histogram.add(other.histogram)
    }

    var count: Int { Int(histogram.totalCount) }

    /// Returns the duration that this percentage of the durations did not exceed; zero if none was recorded.
    ///
    /// - Parameter percentile: the percentage; 100 gives the longest duration.
    func value(atPercentile percentile: Double) -> Duration {
        .microseconds(Int64(histogram.valueAtPercentile(percentile)))
    }

    var longest: Duration { value(atPercentile: 100) }
}
