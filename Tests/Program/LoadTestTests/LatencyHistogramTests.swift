import Foundation
import Observability
import Testing

@testable import payrelay_dev

@Suite struct LatencyHistogramTests {
    @Test(arguments: 0..<20) func percentilesAreThoseOfASortWithinAThousandth(seed: Int) {
        var histogram = LatencyHistogram()
        // The values have a long tail, as latencies do: from tens of microseconds to minutes.
        let microseconds = (0..<10_000).map { _ in Int64(10 / pow(Double.random(in: 1e-6...1), 1.2)) }.sorted()
        for value in microseconds.shuffled() { histogram.record(.microseconds(value)) }
        #expect(histogram.count == microseconds.count)
        for percentile in [50, 90, 99, 99.9, 99.99, 100] {
            // The share is in whole hundredths of a percent, because 99.9 % of ten thousand is not quite 9,990 in floating
            // point.
            let share = Int((percentile * 100).rounded())
            let exact = microseconds[(share * microseconds.count + 9_999) / 10_000 - 1]
            let told = histogram.value(atPercentile: percentile).wholeMicroseconds
            #expect(
                told >= exact && told <= exact + exact / 1_000 + 1, "p\(percentile) of \(exact) µs is told as \(told)")
        }
    }

    @Test func aLatencyBeyondAnHourCountsAsAnHour() {
        var histogram = LatencyHistogram()
        histogram.record(.seconds(7_200))
        #expect(histogram.count == 1)
        #expect(histogram.longest == .seconds(3_600))
    }

    @Test func anEmptyOneHasNoLatency() {
        #expect(LatencyHistogram().value(atPercentile: 99) == .zero)
    }
}
