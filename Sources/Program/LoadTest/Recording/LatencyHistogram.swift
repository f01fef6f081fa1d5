import Charts
import Histogram

/// Durations, counted in an HDR histogram: of constant size, each within a thousandth of its value, from a microsecond to an
/// hour.
public struct LatencyHistogram: Sendable {
    private var histogram: Histogram<UInt32>
    private static let microsecondsMax: UInt64 = 3_600_000_000

    /// - Parameter isCoarse: each within a hundredth of its value, for a fiftieth of the memory.
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

    public var count: Int { Int(histogram.totalCount) }

    /// The duration that this share of all did not exceed; zero where none was recorded.
    ///
    /// - Parameter percentile: in percent, up to 100, which is the longest of all.
    public func value(atPercentile percentile: Double) -> Duration {
        .microseconds(Int64(histogram.valueAtPercentile(percentile)))
    }

    public var longest: Duration { value(atPercentile: 100) }
}
